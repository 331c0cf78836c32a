import { resolve } from "node:path";
import { describeJsonFault, readTextFile } from "@bridle/core";
import { getErrorMessage } from "@bridle/protocol";
import { z } from "zod";
import { defineMetric } from "../scoring/define-metric.ts";
import { NoScoreError } from "../scoring/no-score-error.ts";
import { scoreAnswer } from "../scoring/score-answer.ts";
import type { SchemaCheck } from "./schema-check.ts";

export const jsonSchemaMetric = defineMetric({
  name: "json_schema",
  type: "standard",
  kind: "structure",
  settings: {
    schema: z
      .union([z.string().min(1), z.record(z.string(), z.unknown())])
      .describe("The JSON Schema that the answer must match, or a file with it."),
  },
  remedies: { schema: "Write the JSON Schema, or a file with it." },
  files: ["schema"],
  unit: null,
  passes: "at-least",
  defaultThreshold: 1,
  documentation: {
    summary: "whether the answer is JSON that matches a schema",
    range: "0 or 1",
    needs: "`schema`",
    cost: "none",
  },
  label: ({ schema }) => (typeof schema === "string" ? `json_schema (${schema})` : "json_schema"),
  open({ schema }, { folder }) {
    let check: Promise<SchemaCheck> | undefined; // compiled once
    const expected = `an answer that fits ${typeof schema === "string" ? schema : "the schema"}`;
    return async (facts) => {
      check ??= openCheck(schema, folder);
      return scoreAnswer(facts, (await check)(facts), expected);
    };
  },
});

/** Creates the check. The validator is imported on first use, because no other metric uses it. */
async function openCheck(schema: string | Record<string, unknown>, folder: string): Promise<SchemaCheck> {
  const { createSchemaCheck } = await import("./schema-check.ts");
  return createSchemaCheck(typeof schema === "string" ? await readSchema(schema, folder) : schema);
}

async function readSchema(file: string, folder: string): Promise<unknown> {
  let text: string;
  try {
    text = await readTextFile(resolve(folder, file));
  } catch (cause) {
    throw new NoScoreError(`the schema ${file} cannot be read: ${getErrorMessage(cause)}. Correct the file.`, {
      cause,
    });
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new NoScoreError(`the schema ${file} ${describeJsonFault(cause, text)}. Correct the file.`);
  }
}
