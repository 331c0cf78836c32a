import type { SourcePosition } from "@bridle/protocol";

/** A fault of a model's file: what is wrong, how to correct it, and where. */
export interface ModelProblem {
  readonly message: string;
  readonly position: SourcePosition;
  /** Existing names that are close to an unknown one. */
  readonly nearest?: readonly string[] | undefined;
}

export type ModelPath = readonly PropertyKey[];
