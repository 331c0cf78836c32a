import { expect, test } from "vitest";
import { TableWords } from "./table-words.ts";
import type { ScannedTable } from "./warehouse-checks.ts";

test("a text names the tables that have the same words, in the plural or spelled a little differently", () => {
  const words = new TableWords(["order_lines", "OrderLine", "orders", "order_notes", "customers"].map(scanned));
  const named = (text: string) => words.namedBy(text).map(({ id }) => id);
  expect(named("order line")).toEqual(["order_lines", "OrderLine"]);
  expect(named("Customer")).toEqual(["customers"]);
  expect(named("order")).toEqual(["orders"]);
  expect(named("order lines of a customer")).toEqual([]);
  expect(named("…")).toEqual([]);
});

function scanned(table: string): ScannedTable {
  const structure = { schema: "main", table, kind: "table", primaryKey: [], uniqueKeys: [], foreignKeys: [] } as const;
  const profile = { id: table, name: table, rows: 0, repeatedRows: 0, columns: [] };
  return {
    id: table,
    fingerprint: "",
    structure: { ...structure, columns: [] },
    measurement: { profile, tuples: [] },
  };
}
