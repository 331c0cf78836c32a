import type { Call, Entry } from "../result/call.ts";

/** A turn as it went: what metrics and graders see of it. Frozen through and through. */
export interface TurnFacts {
  readonly caseName: string;
  /** From 1. */
  readonly turn: number;
  readonly input: string;
  /** What the agent answered; with `response_format`, the object as JSON. */
  readonly answer: string;
  /** With `response_format`. */
  readonly object?: unknown;
  readonly groundTruth?: string;
  /** What was retrieved, in order: the case's own, else what retrieving tools gave. */
  readonly retrievalContext: readonly string[];
  readonly calls: readonly Call[];
  readonly transcript: readonly Entry[];
  /** Responses of the model. */
  readonly steps: number;
  readonly durationMs: number;
  /** Missing where the host does not tell. */
  readonly costUsd?: number;
}
