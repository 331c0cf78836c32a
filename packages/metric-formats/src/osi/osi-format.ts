import { isPlainObject } from "@bridle/protocol";
import type { MetricFormat } from "../metric-format.ts";
import { yamlRoots } from "../yaml-roots.ts";
import { importOsi } from "./import-osi.ts";

/** Open Semantic Interchange documents. */
export const osiFormat: MetricFormat = {
  id: "osi",
  endings: [".yaml", ".yml", ".json"],
  recognises: (file) =>
    yamlRoots(file).some(({ value }) => isPlainObject(value) && Array.isArray(value.semantic_model)),
  read: (files) => importOsi(files),
};
