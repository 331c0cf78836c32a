import { expect, onTestFinished, test } from "vitest";
import { MemoryFacts, makeTable } from "../facts/memory-facts-for-tests.ts";
import { Knowledge } from "../knowledge/knowledge.ts";
import type { PlacedModel } from "../metrics/model-table.ts";
import { PagesForTests } from "./pages-for-tests.ts";
import { Wiki } from "./wiki.ts";

const about = (metric: string) => `---\ntitle: ${metric}\nmetrics: [${metric}]\n---\n\nPay is gross.\n`;
const salaries = { connection: "w", schema: "hr", table: "salaries" };
const pay: PlacedModel = {
  model: { name: "pay", table: "hr.salaries", measures: [{ name: "total", agg: "sum", expr: "amount" }] },
  connection: "w",
  table: salaries,
  tables: [salaries],
  kind: "table",
};

function openWiki(models: readonly PlacedModel[]) {
  const pages = new PagesForTests({ total: about("pay.total"), model: about("pay"), other: about("bonus.total") });
  onTestFinished(() => pages.close());
  const knowledge = new Knowledge({ facts: new MemoryFacts([makeTable("w.hr.salaries"), makeTable("w.main.fares")]) });
  return new Wiki({ folder: pages.folder, knowledge, models: { read: () => ({ models, version: "1" }) } });
}
const slugs = (pages: readonly { readonly slug: string }[]) => pages.map(({ slug }) => slug);

test("a page about a metric is shown to those who may see the tables of its model", () => {
  const wiki = openWiki([pay]);
  expect(slugs(wiki.list())).toEqual(["model", "total"]);
  expect(wiki.list(({ schema }) => schema === "main")).toEqual([]);
});

test("no agent is shown a page about a metric whose tables are unknown", () => {
  expect(openWiki([]).list()).toEqual([]);
  expect(openWiki([{ ...pay, tables: [] }]).list()).toEqual([]);
  expect(slugs(openWiki([]).all())).toEqual(["model", "other", "total"]);
});
