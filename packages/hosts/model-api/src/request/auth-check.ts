import { tmpdir } from "node:os";
import {
  AuthenticationError,
  type AuthStatus,
  type Backend,
  BudgetExceededError,
  type ConversationSpec,
  defaultPromptCaching,
  type TurnContext,
  textMessage,
  UsageLimitError,
} from "@bridle/protocol";

interface Probe {
  mode: string;
  model: string;
  maxOutputTokens: number;
  signal: AbortSignal;
}

/**
 * Requests the shortest possible answer. Throws errors that are not about credentials, such as a lost connection. An
 * answer that was cut at its length limit proves that the credentials were accepted.
 */
export async function probeCredentials(
  open: Backend["open"],
  { mode, model, maxOutputTokens, signal }: Probe,
): Promise<AuthStatus> {
  const accepted: AuthStatus = { ok: true, mode, detail: "The host accepts its credentials." };
  try {
    const conversation = await open(probeSpec(model, maxOutputTokens), signal);
    await conversation.turn(textMessage("ok"), silentContext(signal));
    return accepted;
  } catch (error) {
    if (error instanceof BudgetExceededError) return accepted;
    if (error instanceof AuthenticationError) return { ok: false, mode, detail: error.message };
    if (error instanceof UsageLimitError) return { ok: true, mode, detail: `Accepted, but: ${error.message}` };
    throw error;
  }
}

function probeSpec(model: string, maxOutputTokens: number): ConversationSpec {
  return {
    model,
    maxOutputTokens,
    system: { static: "", dynamic: "" },
    tools: [],
    builtins: [],
    stepBudget: 1,
    promptCaching: { ...defaultPromptCaching, enabled: false },
    history: [],
    projectDir: tmpdir(), // the probe is about no project
  };
}

function silentContext(signal: AbortSignal): TurnContext {
  return {
    signal,
    emit: () => {},
    awaitLimit: (error) => Promise.reject(error),
    callTool: async () => ({ output: "No tools.", isError: true }),
    authorizeHostTool: async () => ({ allow: false, reply: "No tools." }),
    completeHostTool: () => {},
    reportRefused: () => {},
  };
}
