import type { SemanticModel } from "../models/model-schema.ts";
import type { ModelDocument } from "./model-document.ts";

/** A model of a file that fits the schema. */
export interface LocatedModel {
  readonly model: SemanticModel;
  readonly document: ModelDocument;
}
