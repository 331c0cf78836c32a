import type { ModelMeasure, SemanticModel } from "@bridle/semantic";

type ListOf<Key extends "joins" | "dimensions" | "segments"> = NonNullable<SemanticModel[Key]>[number];

export type DraftDimension = ListOf<"dimensions">;
export type DraftMeasure = ModelMeasure;
export type DraftJoin = ListOf<"joins">;
export type DraftSegment = ListOf<"segments">;
