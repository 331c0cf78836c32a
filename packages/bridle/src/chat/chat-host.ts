import type { AgentRuntime, Policy, SendOptions, SessionRequest } from "@bridle/core";

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
  /** The rules in force; none where what is handed over may run. */
  policy(): Promise<Policy | undefined>;
  close(): Promise<void>;
}
