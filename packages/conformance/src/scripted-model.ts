/** The script of a model. The harness of each backend translates it for its host. */
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
  /** The model's input: an object, or malformed text instead of JSON. */
  input: unknown;
  /** The input that the model sends if it is asked to repeat this call alone. Default: it does not repeat the call. */
  corrected?: object;
}

/** One response of the model. It ends the turn if it has no calls. */
export interface ScriptedStep {
  think?: string;
  say?: string;
  calls?: readonly ScriptedCall[];
  /** The answer to a request for structured output. */
  object?: unknown;
  fail?: ScriptedFailure;
  /** Tokens of the prompt, as counted by the host. */
  promptTokens?: number;
  /**
   * With `usage-limit`: the window opens this long after the first refused request. From then on the next step answers. If
   * missing, the window stays used up.
   */
  resetsInSeconds?: number;
  /** The stream breaks off after this text. The next step answers the same request. */
  cut?: boolean;
  /** Sends nothing more and never ends. */
  stall?: boolean;
  /** Repeats this step forever. */
  forever?: boolean;
}

/** The steps that answer a user message containing `prompt`. Turns without a prompt answer in order. */
export interface ScriptedTurn {
  prompt?: string;
  steps: readonly ScriptedStep[];
}

export type ScriptedModel = readonly ScriptedTurn[];

/** A request that reached the model. */
export interface SentRequest {
  system: string;
  /** Tools by the caller's names, with the schemas that were sent. */
  tools: readonly { name: string; description: string; inputSchema: unknown }[];
  /** The user's texts and the tool results, newest last. */
  texts: readonly string[];
  /** The messages with roles, texts, calls and results, without texts that the host adds. */
  messages: readonly HistoryMessage[];
  /** The images of the messages and tool results as base64, oldest first. Missing if the host accepts none. */
  images?: readonly string[];
  /** Set if the request had a temperature. */
  temperature?: number;
}
