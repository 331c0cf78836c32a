import { afterAll, expect, test } from "vitest";
import { MemoryFacts, makeTable } from "../facts/memory-facts-for-tests.ts";
import { Knowledge } from "../knowledge/knowledge.ts";
import { ContextSearch } from "../search/context-search.ts";
import { PagesForTests } from "./pages-for-tests.ts";
import { Wiki } from "./wiki.ts";

const page = (title: string, body: string, more = "") => `---\ntitle: ${title}\n${more}---\n\n${body}\n`;
const pages = new PagesForTests({
  fares: page("Fares", "## Gross fare\n\nBefore refunds.\n\n## Earlier\n\nA surcharge of 2 euros was paid at night."),
  night: page("Night rides", "## Night surcharge\n\nRides after 22:00 cost 3 euros more.", "tags: [pricing]\n"),
  πελάτες: page("Πελάτες", "Ένας πελάτης είναι ενεργός αν αγόρασε τις τελευταίες 90 ημέρες."),
  受注: page("受注のルール", "受注は入金後に数える。返品は含まない。"),
  pay: page("Pay", "Salaries are in cents.", "tables: [w.hr.salaries]\n"),
});
afterAll(() => pages.close());

function open() {
  const knowledge = new Knowledge({ facts: new MemoryFacts([makeTable("w.hr.salaries", ["amount"])]) });
  return new ContextSearch({ knowledge, pages: new Wiki({ folder: pages.folder, knowledge }) });
}
const kinds = ["page"];

test.each([
  ["gross fares", "fares"],
  ["pricing", "night"],
  ["surcharge at night", "night"],
  ["ενεργοί πελάτες", "πελάτες"],
  ["ΗΜΕΡΕΣ", "πελάτες"],
  ["返品", "受注"],
  ["受注の入金", "受注"],
  ["salaries", "pay"],
])("%j finds the page %s first", async (query, expected) => {
  expect((await open().find(query, { kinds }))[0]).toMatchObject({ kind: "page", id: expected });
});

test("a page is one hit, with the section that fits best", async () => {
  const hits = await open().find("fares surcharge paid before refunds", { kinds });
  expect(hits.filter(({ id }) => id === "fares")).toEqual([expect.objectContaining({ part: 0 })]);
});

test("a page about a table outside of the scope is not found", async () => {
  expect(await open().find("salaries in cents", { kinds, isVisible: ({ schema }) => schema !== "hr" })).toEqual([]);
});

test("the search follows the files of the pages", async () => {
  const search = open();
  expect(await search.find("umbrella", { kinds })).toEqual([]);
  pages.write("rain", page("Rain", "An umbrella costs 9 euros."));
  await search.update();
  expect(await search.find("umbrella", { kinds })).toMatchObject([{ id: "rain" }]);
});
