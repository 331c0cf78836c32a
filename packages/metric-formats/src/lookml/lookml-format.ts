import type { MetricFormat } from "../metric-format.ts";
import { importLookml } from "./import-lookml.ts";

/** Looker's views and explores. */
export const lookmlFormat: MetricFormat = {
  id: "lookml",
  endings: [".lkml", ".lookml"],
  recognises: () => true,
  read: (files, options) => importLookml(files, options),
};
