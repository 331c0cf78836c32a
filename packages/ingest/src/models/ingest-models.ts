/**
 * The port that ingest calls models through. The application implements it with a runtime, so that every call is a run with events and
 * limits.
 */
import type { AnyTool, BridleError, Usage } from "@bridle/protocol";
import type { z } from "zod";

/** The purposes of calls. `llm.models` in `bridle.yaml` assigns a model to each. Missing roles use `default`. */
const ingestRoles = ["triage", "extract", "default", "curator", "reconcile"] as const;
export type IngestRole = (typeof ingestRoles)[number];

interface ModelRequest {
  readonly role: IngestRole;
  /** For example `triage`. It is a label of the run, and a row of the report. */
  readonly stage: string;
  /** The work unit, if there is one. */
  readonly unit?: string | undefined;
  /** The same for all calls of a stage, so that a host can cache it. */
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
  /** In US dollars; undefined if unknown. */
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
  /** The name of the model for a role. It is a part of the key of each answer. */
  modelOf(role: IngestRole): string;
  /** The price of the model of a role, used to keep a budget. Default: the average price of its calls so far. */
  priceOf?(role: IngestRole): TokenPrice | undefined;
  /** Rejects with a BridleError. Its `usage` and `cost` are those of the failed call. */
  object<T>(call: ObjectCall<T>): Promise<{ readonly object: T } & CallUse>;
  /** Rejects only if the request is invalid. */
  loop(call: LoopCall): Promise<LoopEnd>;
}
