import { z } from "zod";
import { sourceFields } from "../kinds/source-fields.ts";

export const dbtSettingsSchema = z
  .strictObject({
    type: z.literal("dbt"),
    path: sourceFields.path("The folder of the project."),
    target: sourceFields.text(
      "The folder with manifest.json and catalog.json, relative to the project. Default: target.",
    ),
    connection: sourceFields.connection,
    schema: sourceFields.text("The schema of models without one. Default: any schema with these tables in the scan."),
  })
  .describe("A dbt project: models, sources, tests, semantic models, metrics and exposures.");

export type DbtSettings = z.output<typeof dbtSettingsSchema>;
