/** The kinds of sources for other tools' metric model files, all of which are read in the same way. */
import { z } from "zod";
import { sourceFields } from "../kinds/source-fields.ts";
import type { SourceKind } from "../kinds/source-kind.ts";

const common = {
  path: sourceFields.path("A folder or file."),
  connection: sourceFields.connection,
  schema: sourceFields.text("The schema for tables without one in the files."),
};

const load = async () => ({ create: (await import("./model-files-source.ts")).createModelFilesSource });

const metricflow = z
  .strictObject({ type: z.literal("metricflow"), ...common })
  .describe("Semantic models and metrics of MetricFlow.");
export const metricFlowKind: SourceKind<typeof metricflow> = {
  type: "metricflow",
  schema: metricflow,
  secretKeys: [],
  reachesService: false,
  load,
};

const lookml = z.strictObject({ type: z.literal("lookml"), ...common }).describe("Views and explores of LookML.");
export const lookmlKind: SourceKind<typeof lookml> = {
  type: "lookml",
  schema: lookml,
  secretKeys: [],
  reachesService: false,
  load,
};

const osi = z
  .strictObject({ type: z.literal("osi"), ...common })
  .describe("Documents of the Open Semantic Interchange.");
export const osiKind: SourceKind<typeof osi> = {
  type: "osi",
  schema: osi,
  secretKeys: [],
  reachesService: false,
  load,
};

const cube = z.strictObject({ type: z.literal("cube"), ...common }).describe("Cubes of Cube, in YAML and JavaScript.");
export const cubeKind: SourceKind<typeof cube> = {
  type: "cube",
  schema: cube,
  secretKeys: [],
  reachesService: false,
  load,
};
