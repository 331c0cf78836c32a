import type { SemanticModel } from "../models/model-schema.ts";

/** A model that matches the schema, and its file. */
export interface LocatedModel {
  readonly model: SemanticModel;
  readonly file: string;
}
