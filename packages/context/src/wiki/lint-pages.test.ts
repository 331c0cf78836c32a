import { afterAll, expect, test } from "vitest";
import { MemoryFacts, makeTable } from "../facts/memory-facts-for-tests.ts";
import { formatContextProblem } from "../files/file-problem.ts";
import { Knowledge } from "../knowledge/knowledge.ts";
import { PagesForTests } from "./pages-for-tests.ts";
import { Wiki } from "./wiki.ts";

const pages = new PagesForTests({
  fares: `---
title: Fares
tables: [w.main.fares, w.main.fare]
metrics: [trips.revenue]
refs: [refunds, refund]
sources: [{ source: notion, item: fares.md }]
---

A fare is gross [1], net [2] or free [0]. See [[refunds]], [[refnds|the refunds]] and \`[[code]]\`.

\\[3] is a text, [4](https://example.com) is a link, and [[5]] is a page.
`,
  refunds: "---\ntitle: fares\n---\n\nA refund [7] of a page without sources is a text.\n",
});
afterAll(() => pages.close());

const models = { version: "1", read: () => ({ models: [], version: "1" }), problems: [] };
const problems = (tables: readonly string[]) => {
  const facts = new MemoryFacts(tables.map((id) => makeTable(id)));
  const wiki = new Wiki({ folder: pages.folder, knowledge: new Knowledge({ facts }), models });
  return wiki.problems().map(formatContextProblem);
};

test("names, links, marks and titles that lead nowhere are reported with their places and the nearest names", () => {
  expect(problems(["w.main.fares"])).toEqual([
    "context/wiki/fares.md:3:24: the page names the table w.main.fare, which no scan found. Write connection.schema.table, or remove it: while a name fits no table, agents may not find the page.",
    'context/wiki/fares.md:5:17: there is no page refund. Did you mean "refunds"?',
    'context/wiki/fares.md:9:60: there is no page refnds. Did you mean "refunds"?',
    "context/wiki/fares.md:11:57: there is no page 5. Write it, or remove the link.",
    "context/wiki/fares.md:9:26: the mark [2] has no source: the page lists 1.",
    "context/wiki/fares.md:9:38: the mark [0] has no source: the page lists 1.",
    "context/wiki/refunds.md:2:1: context/wiki/fares.md has the same title, so agents cannot tell context/wiki/refunds.md from it. Change one of them.",
  ]);
});

test("before a scan, tables of pages are not judged", () => {
  expect(problems([]).join("\n")).not.toContain("which no scan found");
});
