import type { SourcePosition } from "@bridle/protocol";

/** A fault in a model file: the problem, its correction, and its position. */
export interface ModelProblem {
  readonly message: string;
  readonly position: SourcePosition;
  /** Existing names that are similar to an unknown name. */
  readonly nearest?: readonly string[] | undefined;
}

export type ModelPath = readonly PropertyKey[];
