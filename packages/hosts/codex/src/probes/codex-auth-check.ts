import { tmpdir } from "node:os";
import {
  AuthenticationError,
  type AuthStatus,
  type Backend,
  type ConversationSpec,
  defaultPromptCaching,
  type TurnContext,
  textMessage,
  UsageLimitError,
} from "@bridle/protocol";

/** Checks the credentials with a real turn, within the full boundary. The login file does not show whether it is valid. */
export async function probeCodexAuth(
  open: Backend["open"],
  { mode, model, signal }: { mode: string; model: string; signal: AbortSignal },
): Promise<AuthStatus> {
  try {
    const conversation = await open(probeSpec(model), signal);
    try {
      await conversation.turn(textMessage("Answer with the word: ok"), silentContext(signal));
    } finally {
      await conversation.close();
    }
    return { ok: true, mode, detail: "Codex accepts the credentials." };
  } catch (error) {
    if (error instanceof AuthenticationError) return { ok: false, mode, detail: error.message };
    if (error instanceof UsageLimitError) return { ok: true, mode, detail: `Logged in, but: ${error.message}` };
    throw error;
  }
}

function probeSpec(model: string): ConversationSpec {
  return {
    model,
    system: { static: "Answer in one word.", dynamic: "" },
    tools: [],
    builtins: [],
    stepBudget: 1,
    promptCaching: defaultPromptCaching,
    history: [],
    projectDir: tmpdir(),
  };
}

function silentContext(signal: AbortSignal): TurnContext {
  return {
    signal,
    emit: () => {},
    callTool: async () => ({ output: "No tools.", isError: true }),
    authorizeHostTool: async () => ({ allow: false, reply: "No tools." }),
    completeHostTool: () => {},
    reportRefused: () => {},
    awaitLimit: async (error) => Promise.reject(error),
  };
}
