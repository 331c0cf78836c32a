import { z } from "zod";
import { flag } from "./fields.ts";

/** Of every metric. */
export const commonFields = {
  enabled: flag("false leaves the metric out. Default: true.").exactOptional(),
  threshold: z
    .number()
    .min(0)
    .exactOptional()
    .describe("The least score that passes; of latency, cost and steps the most. Default: the metric's own."),
  fail_on_error: z
    .literal(true, { error: "cannot be false: a metric that cannot run fails its test. Remove the line" })
    .exactOptional()
    .describe("A metric that cannot run always fails its test; it may be said."),
};
