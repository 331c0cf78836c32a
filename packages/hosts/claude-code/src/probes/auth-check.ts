import {
  AuthenticationError,
  type AuthStatus,
  type Backend,
  type BackendEvent,
  type ConversationSpec,
  type TurnContext,
  textMessage,
  UsageLimitError,
} from "@bridle/protocol";
import type { ClaudeAuthMode } from "../options.ts";
import { bareConversation } from "./bare-conversation.ts";

/**
 * Checks the credentials with a real turn, within the full boundary. The files do not show whether a login is still
 * valid. Throws errors that are not about credentials, such as a lost connection.
 */
export async function probeAuth(open: Backend["open"], mode: ClaudeAuthMode, signal: AbortSignal): Promise<AuthStatus> {
  try {
    const conversation = await open(probeSpec, signal);
    try {
      await conversation.turn(textMessage("Answer with the word: ok"), probeContext(signal));
    } finally {
      await conversation.close();
    }
    return { ok: true, mode, detail: "Claude Code accepts the credentials." };
  } catch (error) {
    if (error instanceof AuthenticationError) return { ok: false, mode, detail: error.message };
    if (error instanceof UsageLimitError) return { ok: true, mode, detail: `Logged in, but: ${error.message}` };
    throw error;
  }
}

const probeSpec: ConversationSpec = {
  ...bareConversation,
  system: { static: "Answer in one word.", dynamic: "" },
};

function probeContext(signal: AbortSignal): TurnContext {
  return {
    signal,
    emit: (_event: BackendEvent) => {},
    callTool: async () => ({ output: "No tools.", isError: true }),
    authorizeHostTool: async () => ({ allow: false, reply: "No tools." }),
    completeHostTool: () => {},
    reportRefused: () => {},
    awaitLimit: async (error) => Promise.reject(error),
  };
}
