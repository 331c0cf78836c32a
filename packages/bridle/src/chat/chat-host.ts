import type { AgentRuntime, Policy, RunEvent, SessionRequest } from "@bridle/core";

/** What a chat talks to: an agent, or the project's model with or without tools. */
export interface ChatHost {
  readonly runtime: AgentRuntime;
  /** What every session has. */
  readonly request: SessionRequest;
  /** The agent's name, where there is one. */
  readonly agent?: string;
  /** What each tool is, by name, where it is known. */
  readonly kinds: Readonly<Record<string, string>>;
  readonly warnings: readonly string[];
  /** The rules in force; none where what is handed over may run. */
  policy(): Promise<Policy | undefined>;
  close(): Promise<void>;
}

/** What is on record of a session. */
export interface SessionEvents {
  of(sessionId: string): Promise<readonly RunEvent[]>;
}
