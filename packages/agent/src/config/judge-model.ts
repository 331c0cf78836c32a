import { modelSchema } from "./model.ts";

/** The model of a judge. */
export const judgeModel = modelSchema
  .exactOptional()
  .describe("The model that judges. Default: evaluations.model, otherwise the model of the role judge.");
