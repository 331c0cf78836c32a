import { redactSensitive, type StructuredValue } from "@bridle/warehouse";
import { z } from "zod";
import type { AnsweredMetrics } from "../metric-query-types.ts";
import type { StoredResults } from "./stored-results.ts";

const value: z.ZodType<StructuredValue> = z.lazy(() =>
  z.union([z.null(), z.boolean(), z.number(), z.string(), z.array(value).readonly()]),
);
const values = z.array(value).readonly();
const answerSchema = z.object({
  rows: z.array(values).readonly(),
  totals: values.optional(),
  truncated: z.enum(["rows", "bytes"]).optional(),
  tables: z.array(z.string()).readonly(),
  filtered: z.array(z.string()).readonly(),
  durationMs: z.number(),
});

/** The results of a query's statements. */
export type AnswerParts = Pick<AnsweredMetrics, "rows" | "totals" | "truncated" | "tables" | "filtered" | "durationMs">;

/** Stores answers by the request and the state of the data. Does not store answers that contain a value that looks sensitive. */
export class AnswerCache {
  readonly #results: StoredResults;

  constructor(results: StoredResults) {
    this.#results = results;
  }

  get(key: string, state: string | undefined): AnswerParts | undefined {
    return answerSchema.safeParse(this.#results.get(key, state)?.value).data;
  }

  set(key: string, state: string | undefined, answer: AnswerParts): void {
    if (![...answer.rows, answer.totals ?? []].flat().some(isSensitive)) this.#results.set(key, state, answer);
  }

  /** Returns when an answer was stored, for the current or earlier data. */
  storedAt(key: string): string | undefined {
    return this.#results.last(key)?.storedAt;
  }
}

function isSensitive(value: unknown): boolean {
  const text = typeof value === "string" ? value : typeof value === "object" ? JSON.stringify(value) : "";
  return redactSensitive(text) !== text;
}
