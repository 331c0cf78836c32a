import type { SemanticModel } from "../models/model-schema.ts";

/** A model that fits the schema, and the file that it is from. */
export interface LocatedModel {
  readonly model: SemanticModel;
  readonly file: string;
}
