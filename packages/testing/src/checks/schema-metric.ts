import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { createSchemaCheck } from "@bridle/metrics";
import { getErrorMessage } from "@bridle/protocol";
import { clipped } from "./clipped.ts";
import { MetricError, type Scored } from "./planned-metric.ts";
import type { StandardConfig } from "./standard-config.ts";
import type { TurnFacts } from "./turn-facts.ts";

type Check = ReturnType<typeof createSchemaCheck>;

/** Whether answers fit a JSON Schema, or the one in a file, which is read once. */
export function schemaMetric(schema: StandardConfig["schema"], baseDir: string): (facts: TurnFacts) => Promise<Scored> {
  let check: Promise<Check> | undefined;
  return async (facts) => {
    check ??= makeCheck(schema, baseDir);
    const { score, reason } = (await check)(facts);
    const expected = typeof schema === "string" ? `an answer that fits ${schema}` : "an answer that fits the schema";
    return { score, expected, received: clipped(facts.answer), ...(reason !== undefined && { reason }) };
  };
}

async function makeCheck(schema: StandardConfig["schema"], baseDir: string): Promise<Check> {
  return createSchemaCheck(typeof schema === "string" ? await readSchema(schema, baseDir) : schema);
}

async function readSchema(file: string, baseDir: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(resolve(baseDir, file), "utf8"));
  } catch (cause) {
    const problem = cause instanceof SyntaxError ? "is not JSON" : "cannot be read";
    throw new MetricError(`the schema ${file} ${problem}: ${getErrorMessage(cause)}. Mend the file.`, { cause });
  }
}
