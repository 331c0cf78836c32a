import { z } from "zod";
import { flag } from "./fields.ts";

/** The fields of every metric, except its threshold. */
export const commonFields = {
  enabled: flag("false leaves the metric out. Default: true.").exactOptional(),
  fail_on_error: z
    .literal(true, { error: "cannot be false: a metric that cannot run fails its test. Remove the line" })
    .exactOptional()
    .describe("A metric that cannot run always fails its test, so this is optional."),
};
