import type { Models } from "@bridle/project";
import type { AgentRuntime, Policy, SendOptions, SessionRequest } from "@bridle/protocol";

/** What a chat talks to: an agent, or the project's model with or without tools. */
export interface ChatHost {
  readonly runtime: AgentRuntime;
  /** What every session has. */
  readonly request: SessionRequest;
  /** What every run has. */
  readonly limits: Pick<SendOptions, "timeoutMs" | "maxCostUsd">;
  /** The agent's name, where there is one. */
  readonly agent?: string;
  /** What each tool is, by name, where it is known. */
  readonly kinds: Readonly<Record<string, string>>;
  readonly warnings: readonly string[];
  /** The rules in force: the first decide, and of those after them the denials hold. None where what is handed over may run. */
  policies(): Promise<readonly Policy[]>;
  /** The models that can be changed to. Throws a BridleError where the host refuses, or does not answer. */
  models(signal: AbortSignal): Promise<Models>;
  close(): Promise<void>;
}
