/**
 * The interface through which ingest calls models. The application implements it with a runtime, so that every call is a run with events
 * and limits.
 */
import type { AnyTool, BridleError, Usage } from "@bridle/protocol";
import type { z } from "zod";

/** The purposes of calls. `llm.models` in `bridle.yaml` assigns a model to each. Missing roles use `default`. */
const ingestRoles = ["triage", "extract", "default", "curator", "reconcile"] as const;
export type IngestRole = (typeof ingestRoles)[number];

interface ModelRequest {
  readonly role: IngestRole;
  /** The stage, such as `triage`. It is a label of the run, and a row in the report. */
  readonly stage: string;
  /** The work unit, if there is one. */
  readonly unit?: string | undefined;
  /** The system prompt, which is the same for all calls of a stage, so that a host can cache it. */
  readonly system: string;
  readonly prompt: string;
  /** The expected tokens of an answer, to decide whether the budget suffices. Default: 1,000. */
  readonly expectedOutputTokens?: number | undefined;
  readonly signal: AbortSignal;
}

export interface ObjectCall<T> extends ModelRequest {
  readonly schema: z.ZodType<T>;
}

export interface LoopCall extends ModelRequest {
  readonly tools: readonly AnyTool[];
  readonly stepBudget: number;
  /** The cost limit of the loop, in US dollars. */
  readonly maxCostUsd?: number | undefined;
  /** Called after each response of the model. */
  onStep?(step: { readonly index: number; readonly budget: number }): void;
}

export interface CallUse {
  readonly usage: Usage;
  /** The cost in US dollars; undefined if unknown. */
  readonly costUsd?: number | undefined;
}

export interface LoopEnd extends CallUse {
  readonly stopReason: "natural" | "budget" | "stopped" | "error";
  readonly steps: number;
  /** Set if the loop was stopped or failed. */
  readonly error?: BridleError | undefined;
}

/** US dollars per token. */
export interface TokenPrice {
  readonly input: number;
  readonly output: number;
}

export interface IngestModels {
  /** Returns the name of the model for a role, which is part of each answer's key. */
  modelOf(role: IngestRole): string;
  /** Returns the price of a role's model, which is used to keep a budget. Default: the average price of the model's calls so far. */
  priceOf?(role: IngestRole): TokenPrice | undefined;
  /** Asks for an object. Rejects with a BridleError, which has the `usage` and `cost` of the failed call. */
  object<T>(call: ObjectCall<T>): Promise<{ readonly object: T } & CallUse>;
  /** Runs a loop with tools. Rejects only if the request is invalid. */
  loop(call: LoopCall): Promise<LoopEnd>;
}
