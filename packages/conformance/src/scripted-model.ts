/** The script of a model. Each backend's harness translates it for the host. */
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
  /** The input that the model sends if the engine asks it to repeat only this call. Default: the model does not repeat the call. */
  corrected?: object;
}

/** One response of the model. A response without calls ends the turn. */
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
   * With `usage-limit`: the seconds from the first refused request until the window opens. After that, the next step answers. If missing,
   * the window stays used up.
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
  /** The tools with the caller's names, and with the schemas that were sent. */
  tools: readonly { name: string; description: string; inputSchema: unknown }[];
  /** The user's texts and the tool results, newest last. */
  texts: readonly string[];
  /** The messages with roles, texts, calls and results, but without texts that the host adds. */
  messages: readonly HistoryMessage[];
  /** The images of the messages and tool results as base64, oldest first. Missing if the host accepts none. */
  images?: readonly string[];
  /** Set if the request had a temperature. */
  temperature?: number;
}
