/** A model's behaviour in words that every backend's harness can turn into its host's own. */
import type { HistoryMessage } from "@bridle/protocol";

export type ScriptedFailure =
  | "authentication"
  | "billing"
  | "usage-limit"
  | "rate-limit"
  | "overloaded"
  | "model-not-found"
  | "context-overflow"
  | "invalid-request"
  | "connection-lost";

export interface ScriptedCall {
  tool: string;
  /** What the model sends: an object, or malformed text instead of JSON. */
  input: unknown;
}

/** One response of the model. Without calls it ends the turn. */
export interface ScriptedStep {
  think?: string;
  say?: string;
  calls?: readonly ScriptedCall[];
  /** The answer to a request for structured output. */
  object?: unknown;
  fail?: ScriptedFailure;
  /** Tokens of the prompt, as the host counts them. */
  promptTokens?: number;
  /**
   * With `usage-limit`: the window opens this long after the first request that it refused, whoever asks; from then on
   * the step after this one answers. Without, it stays used up.
   */
  resetsInSeconds?: number;
  /** The stream breaks off after what it says; the step after this one answers the same request. */
  cut?: boolean;
  /** Says nothing more and never ends. */
  stall?: boolean;
  /** Repeats this step for ever. */
  forever?: boolean;
}

/** The steps that answer a user message which contains `prompt`; turns of one conversation follow their order. */
export interface ScriptedTurn {
  prompt?: string;
  steps: readonly ScriptedStep[];
}

export type ScriptedModel = readonly ScriptedTurn[];

/** What reached the model, as it was sent. */
export interface SentRequest {
  system: string;
  /** Tools by our names, with the schemas that were sent. */
  tools: readonly { name: string; description: string; inputSchema: unknown }[];
  /** Newest last: texts of users and results of tools. */
  texts: readonly string[];
  /** The same with who said it, and the calls: texts, calls and results, without what the host adds by itself. */
  messages: readonly HistoryMessage[];
  /** Where the host was sent one. */
  temperature?: number;
}
