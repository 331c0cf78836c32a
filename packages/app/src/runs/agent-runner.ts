import type { Models } from "@bridle/project";
import type { AgentRuntime, Policy, SendOptions, SessionRequest } from "@bridle/protocol";

/** An agent, or the project's model with some tools, that is ready to run. */
export interface AgentRunner {
  readonly runtime: AgentRuntime;
  /** The request of every session. */
  readonly request: SessionRequest;
  /** The limits of every run. */
  readonly limits: Pick<SendOptions, "timeoutMs" | "maxCostUsd">;
  /** The agent's name. Missing for the project's model. */
  readonly agent?: string | undefined;
  /** The known kinds of tools, by the name of the tool. */
  readonly kinds: Readonly<Record<string, string>>;
  readonly warnings: readonly string[];
  /**
   * The rules in force. The first policy decides; of the others only the denials count. An empty list allows every tool of the
   * request.
   */
  policies(): Promise<readonly Policy[]>;
  /** The models that a session can change to. Throws a BridleError if the host refuses or does not answer. */
  models(signal: AbortSignal): Promise<Models>;
  close(): Promise<void>;
}
