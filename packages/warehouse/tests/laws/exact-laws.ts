import { expect } from "vitest";
import type { z } from "zod";
import type { ConnectorBench } from "./bench.ts";
import { type ExactValue, requiredValues } from "./harness.ts";
import type { Law } from "./law.ts";
import { exactValues } from "./standard-tables.ts";

/** Returns one law for each required value. The law is skipped if the harness has a reason instead of a value. */
export function exactLaws<Schema extends z.ZodObject>(bench: ConnectorBench<Schema>): readonly Law[] {
  return requiredValues.map((key) => {
    const value = bench.harness.values[key];
    const skip = typeof value === "string" ? value : undefined;
    return {
      title: `reads without loss: ${key}`,
      skip,
      hold: () => (typeof value === "string" ? Promise.resolve() : readsExactly(bench, value)),
    };
  });
}

async function readsExactly<Schema extends z.ZodObject>(
  bench: ConnectorBench<Schema>,
  value: ExactValue,
): Promise<void> {
  const column = `c${exactValues(bench).indexOf(value)}`;
  const { columns, rows } = await bench.read(`SELECT ${column} FROM ${bench.quoted("exact")}`);
  expect(rows).toEqual([[value.value]]);
  expect(columns[0]?.type).toBe(value.type);
  expect((await bench.columnOf("exact", column))?.type).toBe(value.type);
}
