import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "@bridle/core";
import { silentLogger } from "@bridle/protocol";
import { openWarehouse } from "@bridle/warehouse";
import { connectors } from "@bridle/warehouse/definitions";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openContext } from "../../context/open-context.ts";
import type { ModelProposal } from "./propose-models.ts";

/** Tables with one row for each of five items on each of 30 days, with a number that depends on item and day. */
const tables: Readonly<Record<string, { readonly column: string; value(item: number, day: number): number }>> = {
  stock_counts: { column: "units", value: (item, day) => 5 + ((item * 7919 + day * 104_729) % 60) },
  plans: { column: "members", value: (item, day) => 1000 * item + Math.round(40 * Math.sin(day / 5)) },
  shop_days: { column: "revenue", value: (item, day) => 1000 * item + 25 * day },
  inventory_movements: { column: "quantity", value: (item, day) => ((item * 31 + day * 17) % 21) - 10 },
  visitors: { column: "people", value: (item, day) => (item * 7907 + day * 10_007) % 97 },
  rates: { column: "price", value: (item, day) => 10 * item + Math.round(Math.sin(day / 5) * 100) / 100 },
  account_days: { column: "balance", value: (item, day) => ((item * 13 + day * 29) % 41) - 20 },
};

let projectDir: string;
const proposals = new Map<string, ModelProposal>();
let notes: readonly string[] = [];
beforeAll(async () => {
  projectDir = mkdtempSync(join(tmpdir(), "bridle-levels-"));
  const database = openDatabase(join(projectDir, "shop.db"));
  for (const [name, { column, value }] of Object.entries(tables)) {
    database.exec(`CREATE TABLE ${name} (item TEXT, day DATE, ${column} INTEGER, PRIMARY KEY (item, day))`);
    const insert = database.prepare(`INSERT INTO ${name} VALUES (?, ?, ?)`);
    for (let item = 1; item <= 5; item++)
      for (let day = 1; day <= 30; day++)
        insert.run(`item ${item}`, `2025-06-${String(day).padStart(2, "0")}`, value(item, day));
  }
  database.close();
  const [connector] = connectors;
  const surroundings = { projectDir, environment: {}, logger: silentLogger };
  const open = () =>
    openWarehouse({ name: "shop", connector, config: { type: "sqlite", file: "shop.db" }, context: surroundings });
  const stateDir = join(projectDir, ".bridle");
  const context = openContext({ projectDir, stateDir, environment: {}, connections: [{ name: "shop", open }] });
  await context.scan("shop");
  const proposed = await context.metrics.propose();
  for (const proposal of proposed.models) proposals.set(proposal.model.name, proposal);
  notes = proposed.notes;
  await context.close();
});
afterAll(() => rmSync(projectDir, { recursive: true }));

const formulas = (name: string) => proposals.get(name)?.measures.map(({ formula }) => formula);

test("a number with the name of a state, and one that changes little, are not added up over time", () => {
  expect(formulas("stock_counts")).toContain("sum of units, the last of day");
  expect(formulas("plans")).toContain("sum of members, the last of day");
  expect(formulas("account_days")).toContain("sum of balance, the last of day");
  expect(notes).toContain(
    "shop.main.plans.members has one value for each item and day, and changes little from one time to the next, so it is not added up over time.",
  );
});

test("what happens in a time is added up, also if it grows slowly", () => {
  expect(formulas("shop_days")).toContain("sum of revenue");
  expect(formulas("inventory_movements")).toContain("sum of quantity");
  expect(formulas("visitors")).toContain("sum of people");
});

test("a price stays an average", () => {
  expect(formulas("rates")).toContain("avg of price");
});

test("the value of a state is that of the last time of each item", () => {
  const { value } = tables.plans ?? { value: () => 0 };
  const expected = [1, 2, 3, 4, 5].reduce((sum, item) => sum + value(item, 30), 0);
  const measure = proposals.get("plans")?.measures.find(({ name }) => name === "plans.last_members");
  expect(measure).toMatchObject({ value: expected });
});
