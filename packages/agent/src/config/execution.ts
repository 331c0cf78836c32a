import { z } from "zod";
import { refused, wholeFrom } from "./fields.ts";

export const executionSchema = z
  .strictObject({
    llm_timeout: z
      .number()
      .positive()
      .max(86_400)
      .exactOptional()
      .describe("Seconds until a run is ended. Default: no limit."),
    max_steps: wholeFrom(1, "Responses that the model may give in one run. Default: 20.").exactOptional(),
    parallel_test_cases: wholeFrom(1, "Test cases that run at a time. Default: 4.").exactOptional(),
    file_timeout: refused("files are read from this machine, which takes no time to speak of. Remove it."),
    download_timeout: refused("nothing is fetched. Remove it."),
    cache_enabled: refused("nothing is fetched, so there is nothing to keep. Remove it."),
    cache_dir: refused("nothing is fetched, so there is nothing to keep. Remove it."),
    verbose: refused("what is shown is chosen on the command line. Remove it."),
    quiet: refused("what is shown is chosen on the command line. Remove it."),
  })
  .describe("Limits of runs.");
