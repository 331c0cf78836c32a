import { maxNestedDepth } from "@bridle/protocol";
import { z } from "zod";
import { refused, wholeFrom } from "./fields.ts";

export const executionSchema = z
  .strictObject({
    llm_timeout: z
      .number()
      .positive()
      .max(86_400)
      .exactOptional()
      .describe("Seconds after which a run is stopped. Default: no limit, and 600 in tests."),
    max_steps: wholeFrom(1, "The maximum number of the model's responses in one run. Default: 20.").exactOptional(),
    max_depth: wholeFrom(0, "How deeply agents may call other agents. 0: this agent may call none. Default: 3.")
      .max(maxNestedDepth)
      .exactOptional(),
    schema_retries: wholeFrom(
      0,
      "The maximum number of corrections of an answer that does not match response_format. Default: 2.",
    ).exactOptional(),
    parallel_test_cases: wholeFrom(
      1,
      "The number of test cases to run in parallel. Default: 4, or in a rehearsal at most one per processor.",
    ).exactOptional(),
    file_timeout: refused("files are read from this machine, which takes almost no time. Remove it."),
    download_timeout: refused("Bridle downloads nothing. Remove it."),
    cache_enabled: refused("Bridle downloads nothing, so there is no cache. Remove it."),
    cache_dir: refused("Bridle downloads nothing, so there is no cache. Remove it."),
    verbose: refused("choose the output on the command line. Remove it."),
    quiet: refused("choose the output on the command line. Remove it."),
  })
  .describe("Limits of runs.");
