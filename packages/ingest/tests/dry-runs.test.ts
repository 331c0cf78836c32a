import { expect, test } from "vitest";
import { readVersionText } from "../src/runs/stage-item.ts";
import type { SourceItem } from "../src/sources/source.ts";
import { sourceOf } from "./support/corpus/corpus.ts";
import { extracted, ScriptedModels } from "./support/models/scripted-models.ts";
import { foundIn, TestIngest } from "./support/test-ingest.ts";

const page = (id: string, text: string): SourceItem => {
  return { id, title: "Fares", text, kind: "page", authority: "document" };
};
const facts = {
  pets: "Passengers with a pet pay 8 euro more on every route.",
  bikes: "Passengers with a bicycle pay 5 euro more on every route.",
  prams: "Passengers with a pram pay nothing more on every route.",
  late: "Passengers with a pet pay 9 euro more on every route.",
};
const light = ({ prompt }: { readonly prompt: string }) => {
  const passages = prompt.split(/(?=Document: )/).slice(1);
  const found = passages.map((text) => Object.values(facts).find((fact) => text.includes(fact)) ?? "");
  return { candidates: found.map((fact, index) => extracted(fact, fact, {}, `p${index + 1}`)) };
};
const models = () => new ScriptedModels({ light });

test("a dry run removes no item, no text and no source, and shows what would be left", async () => {
  const ingest = new TestIngest();
  const wiki = [page("pets", facts.pets), page("bikes", facts.bikes)];
  const both = { models: models(), configured: ["wiki", "notes"] };
  const before = await ingest.run([sourceOf(wiki, "wiki"), sourceOf([page("prams", facts.prams)], "notes")], both);
  expect(foundIn(before.checked)).toHaveLength(3);
  const changed = sourceOf([page("pets", facts.late)], "wiki");
  const planned = await ingest.run(changed, { models: models(), configured: ["wiki"], isPlan: true });
  expect(foundIn(planned.checked)).toEqual([`pets: ${facts.late}`]);
  expect(planned.outcome).toMatchObject({
    removedSources: ["notes"],
    items: { total: 1, finished: 1 },
    sources: [{ removed: [{ id: "bikes" }] }],
  });
  for (const { source } of before.checked ?? []) {
    const { text } = readVersionText(source.version, ingest.store) ?? {};
    expect(text?.slice(source.start, source.end)).toBe(source.quote);
  }
  const others = await ingest.run([], both);
  expect(foundIn(others.checked)).toEqual([`bikes: ${facts.bikes}`, `pets: ${facts.late}`, `prams: ${facts.prams}`]);
  const real = await ingest.run(changed, { models: models(), configured: ["wiki"] });
  expect(real.outcome).toMatchObject({ removedSources: ["notes"], sources: [{ removed: [{ id: "bikes" }] }] });
  expect(real.checked).toEqual(planned.checked);
});
