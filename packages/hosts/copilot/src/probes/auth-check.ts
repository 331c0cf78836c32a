import { tmpdir } from "node:os";
import {
  AuthenticationError,
  type AuthStatus,
  type Backend,
  BudgetExceededError,
  type ConversationSpec,
  defaultPromptCaching,
  ModelNotFoundError,
  type TurnContext,
  textMessage,
  UsageLimitError,
} from "@bridle/protocol";
import type { CopilotApi, CopilotOptions } from "../options.ts";

const mode = "api_key";

/** Small models. A service that does not have the model has accepted the key all the same. */
const probeModels: Readonly<Record<CopilotApi, string>> = {
  openai: "gpt-6-luna",
  azure: "gpt-6-luna",
  anthropic: "claude-haiku-5-5",
};

/** Requests the shortest possible answer. Throws errors that are not about credentials, such as a lost connection. */
export async function probeKey(
  open: Backend["open"],
  { api = "openai" }: CopilotOptions,
  signal: AbortSignal,
): Promise<AuthStatus> {
  const accepted: AuthStatus = { ok: true, mode, detail: "The model service accepts the key." };
  try {
    const conversation = await open(probeSpec(probeModels[api]), signal);
    await conversation.turn(textMessage("ok"), silentContext(signal)).finally(conversation.close);
    return accepted;
  } catch (error) {
    if (error instanceof AuthenticationError) return { ok: false, mode, detail: error.message };
    if (error instanceof UsageLimitError) return { ok: true, mode, detail: `Accepted, but: ${error.message}` };
    if (error instanceof ModelNotFoundError || error instanceof BudgetExceededError) return accepted;
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
