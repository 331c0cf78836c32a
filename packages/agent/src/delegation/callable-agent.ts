import type { AgentSession, AnyTool, BackendFeatures, SendOptions, SessionRequest } from "@bridle/protocol";

/** The parts of an opened agent that `agentTool` uses. */
export interface CallableAgent {
  readonly name: string;
  readonly definition: { readonly config: { readonly description?: string | undefined } };
  readonly runtime: { readonly capabilities: { readonly features: Pick<BackendFeatures, "builtins"> } };
  readonly tools: readonly AnyTool[];
  readonly request: Pick<SessionRequest, "builtins" | "policy" | "stepBudget">;
  readonly limits: Pick<SendOptions, "timeoutMs" | "maxCostUsd">;
  openSession(): Promise<Pick<AgentSession, "id" | "send" | "close">>;
}
