import { onTestFinished } from "vitest";
import { openWarehouse } from "../../src/warehouse/open-warehouse.ts";
import { SimpleEngine, type SimpleTable, simpleConnector } from "./simple-connector.ts";

export const people = [
  { id: 1n, name: "Ada", email: "ada@example.com", region: "EU" },
  { id: 2n, name: "Bob", email: "bob@example.com", region: "US" },
  { id: 3n, name: "Cem", email: "cem@example.com", region: "EU" },
];

export const shop: readonly SimpleTable[] = [
  { name: "crm.customers", rows: people },
  {
    name: "main.orders",
    rows: [
      { id: 10n, buyer: "ada@example.com", total: 5n },
      { id: 11n, buyer: "ada@example.com", total: 7n },
    ],
  },
  { name: "main.tmp_1", rows: [{ id: 1n }] },
  { name: "hr.salaries", rows: [{ person: 1n, amount: 90_000n }] },
];

/** Opens a warehouse with in-memory tables. It is closed when the test has finished. */
export async function openSimple(settings: object = {}, tables: readonly SimpleTable[] = shop) {
  const engine = new SimpleEngine(tables);
  const context = { projectDir: "/" };
  const config = { type: "simple", ...settings };
  const warehouse = await openWarehouse({ name: "shop", connector: simpleConnector(engine), config, context });
  onTestFinished(() => warehouse.close());
  return { warehouse, engine };
}
