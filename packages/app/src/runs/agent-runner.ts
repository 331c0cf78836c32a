import type { Models } from "@bridle/project";
import type { AgentRuntime, Policy, SendOptions, SessionRequest } from "@bridle/protocol";

/** An agent that is ready to run, or the project's model with some tools. */
export interface AgentRunner {
  readonly runtime: AgentRuntime;
  /** The request of every session. */
  readonly request: SessionRequest;
  /** The limits of every run. */
  readonly limits: Pick<SendOptions, "timeoutMs" | "maxCostUsd">;
  /** The agent's name. Missing for the project's model. */
  readonly agent?: string | undefined;
  /** The kinds of tools that are known, by tool name. */
  readonly kinds: Readonly<Record<string, string>>;
  readonly warnings: readonly string[];
  /**
   * Returns the policies in force. The first policy decides; the others can only deny. If the list is empty, every tool of the request is
   * allowed.
   */
  policies(): Promise<readonly Policy[]>;
  /** Returns the models that a session can switch to. Throws a BridleError if the host refuses or does not answer. */
  models(signal: AbortSignal): Promise<Models>;
  close(): Promise<void>;
}
