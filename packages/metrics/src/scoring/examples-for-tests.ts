import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

/** Reads the worked examples of a metric. Throws if `given` has an unknown key. */
export function examplesOf<Given extends z.ZodRawShape>(metric: string, given: Given) {
  const example = z.strictObject({
    title: z.string(),
    given: z.strictObject({ answer: z.string(), ...given }),
    score: z.number(),
    source: z.string(),
  });
  const file = join(import.meta.dirname, "../../examples", `${metric}.json`);
  const schema = z.strictObject({ metric: z.literal(metric), examples: z.array(example).min(12) });
  return schema.parse(JSON.parse(readFileSync(file, "utf8"))).examples;
}

/** Scores are compared with their examples to this many digits. */
export const digits = 6;
