import { expect, test } from "vitest";
import { servicesForTests } from "../gates/candidates-for-tests.ts";
import { OpenedItem } from "../gates/cited-item.ts";
import { passagesOf } from "../triage/passages.ts";
import { UnitPassages } from "./unit-passages.ts";
import { UnitProposals } from "./unit-proposals.ts";
import { unitItem } from "./work-unit.ts";

const { signal } = new AbortController();

function openUnit(texts: readonly string[]) {
  const items = texts.map((text, index) => {
    const item = {
      source: "wiki",
      id: `page-${index}.md`,
      title: "Page",
      kind: "page",
      version: `v${index}`,
      chars: 1,
    };
    const opened = new OpenedItem({ ...item, authority: "document" }, text, []);
    return unitItem(opened, passagesOf(item, text, []), { sourceType: "documents", model: "m" });
  });
  const proposals = new UnitProposals(new UnitPassages({ name: "unit", source: "wiki", items }), servicesForTests());
  const propose = (passage: string, statement: string, quote = statement) => {
    const body = { kind: "statement", subject: "fares", statement, topic: "fares", category: "rule" };
    return proposals.propose(body, passage, quote, signal);
  };
  return { proposals, propose, items };
}

const rule = "Children under six travel free.";

test("two documents of a unit that say the same are two sources, and the same proposal about one document is refused", async () => {
  const { proposals, propose, items } = openUnit([rule, `${rule}\n\nDogs pay half.`]);
  expect((await propose("p1", rule)).isAccepted).toBe(true);
  expect((await propose("p2", rule)).isAccepted).toBe(true);
  expect(await propose("p2", rule)).toMatchObject({ isAccepted: false, text: expect.stringContaining("before") });
  expect(items.map((item) => proposals.of(item).length)).toEqual([1, 1]);
});

test("a refused proposal is replaced by one about the same document, and not by one about another", async () => {
  const { proposals, propose, items } = openUnit([rule, rule]);
  await propose("p1", rule, "Nobody wrote this sentence.");
  await propose("p2", rule);
  expect(items.flatMap((item) => proposals.of(item).map(({ isReplaced }) => isReplaced))).toEqual([false, false]);
  await propose("p1", rule);
  expect(items.flatMap((item) => proposals.of(item).map(({ isReplaced }) => isReplaced))).toEqual([true, false, false]);
});

test("refused facts about a subject do not keep another fact about it away, and are not replaced by it", async () => {
  const { proposals, propose, items } = openUnit([`${rule}\n\nDogs pay half.`]);
  for (const invented of ["Bikes cost 3 euro.", "Groups of ten get a discount.", "Seniors pay the winter price."])
    await propose("p1", invented, "Nobody wrote this sentence.");
  expect((await propose("p1", rule)).isAccepted).toBe(true);
  expect(items.flatMap((item) => proposals.of(item).map(({ isReplaced }) => isReplaced))).not.toContain(true);
});

test("a fact that was refused three times in nearly the same words is not checked again", async () => {
  const { propose } = openUnit([rule]);
  for (const number of [7, 8, 9])
    await propose("p1", `Children under ${number} years travel free.`, "Nobody wrote this sentence.");
  expect((await propose("p1", "Children under 10 years travel free.")).text).toContain("three times");
});
