import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { SourceItem } from "../src/sources/source.ts";
import { Corpus, shortCorpus, sourceOf } from "./support/corpus/corpus.ts";
import { manyItems } from "./support/corpus/many-items.ts";
import { CorpusModel } from "./support/models/corpus-model.ts";
import { manyFacts, wantedFactsOf } from "./support/models/known-facts.ts";
import { passagesIn, stageOf } from "./support/models/prompts.ts";
import { type StartedModels, startModels } from "./support/start-models.ts";
import { foundIn, TestIngest } from "./support/test-ingest.ts";

/** Starts a model that records its requests by stage. */
async function noting(
  model: CorpusModel,
): Promise<StartedModels & { readonly stages: string[]; readonly texts: string[] }> {
  const stages: string[] = [];
  const texts: string[] = [];
  const started = await startModels((request) => {
    stages.push(stageOf(request));
    texts.push(...passagesIn(request.user).map(({ text }) => text));
    return model.answer(request);
  });
  onTestFinished(() => started.close());
  return { ...started, stages, texts };
}

const corpus = shortCorpus;
const faithful = (documents = corpus) => noting(new CorpusModel(wantedFactsOf(documents)));
const page = (id: string, text: string): SourceItem => ({
  id,
  title: "A page",
  text,
  kind: "page",
  authority: "document",
});

test("if one of 500 pages changes, only that page is sent", async () => {
  const ingest = new TestIngest();
  const { models, stages: asked, texts } = await noting(new CorpusModel(manyFacts));
  const first = await ingest.run(sourceOf(manyItems(500)), { models });
  expect(first.checked).toHaveLength(150);
  expect(new Set(asked)).toEqual(new Set(["triage", "light"]));
  for (const list of [asked, texts]) list.length = 0;
  const second = await ingest.run(sourceOf(manyItems(500, { changed: new Set([217]) })), { models });
  expect(second.outcome.sources).toMatchObject([{ changed: 1, unchanged: 499 }]);
  expect(asked).toEqual(["triage", "light"]);
  expect(texts).toHaveLength(2);
  expect(texts.every((text) => text.includes("Document: Page 217"))).toBe(true);
  expect(second.checked?.filter(({ source }) => source.item !== "pages/000217.md")).toEqual(
    first.checked?.filter(({ source }) => source.item !== "pages/000217.md"),
  );
});

test("if a paragraph of a long page changes, only the passage around it is sent", async () => {
  const ingest = new TestIngest();
  const long = new Corpus();
  const { models, texts } = await faithful(long);
  await ingest.run(long.source(1), { models });
  const items = long.items(1).map((item) => {
    const isLong = item.id.includes("inspections");
    return isLong ? { ...item, text: item.text.replace("Item 700:", "Another line.\nItem 700:") } : item;
  });
  texts.length = 0;
  const { checked } = await ingest.run(sourceOf(items), { models });
  expect(texts.length).toBeLessThanOrEqual(2);
  expect(foundIn(checked).filter((each) => each.includes("two inspections"))).toHaveLength(1);
});

test("a page that was moved or copied is not sent again, and its facts have the new place", async () => {
  const ingest = new TestIngest();
  const { models, stages: asked } = await faithful();
  await ingest.run(corpus.source(1), { models });
  const moved = corpus.items(1).map((item) => ({ ...item, id: item.id.replace("ops/boarding", "handbook/boarding") }));
  const copies = corpus
    .items(1)
    .filter(({ id }) => id === "finance/fees.md")
    .map((item) => ({ ...item, id: "copy.md" }));
  asked.length = 0;
  const { checked, outcome } = await ingest.run(sourceOf([...moved, ...copies]), { models });
  expect(asked).toEqual([]);
  expect(outcome.sources[0]?.removed).toMatchObject([{ id: "ops/boarding.md", movedTo: "handbook/boarding.md" }]);
  expect(foundIn(checked)).toEqual(
    expect.arrayContaining([
      "handbook/boarding.md: Boarding closes 10 minutes before departure.",
      "copy.md: A pet costs 8 euro on every route.",
      "finance/fees.md: A pet costs 8 euro on every route.",
    ]),
  );
});

test("what only a removed page said is gone, also after unchanged runs in between, and comes back without a question", async () => {
  const ingest = new TestIngest();
  const { models, stages: asked } = await faithful();
  const whole = corpus.items(1);
  const rest = whole.filter(({ id }) => id !== "ops/winter.md" && id !== "ops/jackets.md");
  const before = await ingest.run(sourceOf(whole), { models });
  for (let run = 0; run < 2; run++) await ingest.run(sourceOf(whole), { models });
  asked.length = 0;
  const after = await ingest.run(sourceOf(rest), { models });
  const gone = foundIn(before.checked).filter((each) => !foundIn(after.checked).includes(each));
  expect(gone).toEqual([
    "ops/jackets.md: In the books, life jackets are assets, never stock.",
    "ops/winter.md: The winter timetable starts when ice covers the inner harbour.",
  ]);
  expect((await ingest.run(sourceOf(whole), { models })).checked).toEqual(before.checked);
  expect(asked).toEqual([]);
});

test("a source that is not configured any more is removed, and one that was not named stays", async () => {
  const ingest = new TestIngest();
  const { models, stages: asked } = await faithful();
  const [wiki, notes] = [
    sourceOf([page("a", "Fog mode halves the speed inside the fjord.")], "wiki"),
    corpus.source(1, "notes"),
  ];
  await ingest.run([wiki, notes], { models, configured: ["wiki", "notes"] });
  asked.length = 0;
  const only = await ingest.run(wiki, { models, configured: ["wiki", "notes"] });
  expect(new Set(only.checked?.map(({ source }) => source.source))).toEqual(new Set(["wiki", "notes"]));
  const without = await ingest.run(wiki, { models, configured: ["wiki"] });
  expect(without.outcome.removedSources).toEqual(["notes"]);
  expect(foundIn(without.checked)).toEqual(["a: Fog mode halves the speed inside the fjord."]);
  expect(asked).toEqual([]);
});

test("another model, and another prompt of a page's skill, are asked again", async () => {
  const ingest = new TestIngest();
  const { models, stages: asked } = await faithful();
  await ingest.run(corpus.source(1), { models });
  asked.length = 0;
  const other = {
    ...models,
    modelOf: () => "claude-opus-5-5",
    object: models.object.bind(models),
    loop: models.loop.bind(models),
  };
  await ingest.run(corpus.source(1), { models: other });
  expect(new Set(asked)).toEqual(new Set(["triage", "light", "unit"]));
});

test("items that are not wanted are not sent, and what is known about them stays", async () => {
  const ingest = new TestIngest();
  const { models, texts } = await faithful();
  const isWanted = ({ id }: { readonly id: string }) => id.startsWith("finance/");
  const some = await ingest.run(corpus.source(1), { models, isWanted });
  expect(texts.length).toBeGreaterThan(0);
  expect(foundIn(some.checked).every((each) => each.startsWith("finance/"))).toBe(true);
  const all = await ingest.run(corpus.source(1), { models });
  expect((await ingest.run(corpus.source(1), { models, isWanted })).checked).toEqual(all.checked);
});

test("an item whose stored text is damaged is reported, and fetched again by the next run", async () => {
  const ingest = new TestIngest();
  const { models } = await faithful();
  const whole = await ingest.run(corpus.source(1), { models });
  const version = ingest.store.items.read("handbook", "ops/winter.md")?.item.version ?? "";
  const unchanged = {
    ...corpus.source(1),
    async *fetch() {
      yield* unchangedItems();
    },
  };
  function* unchangedItems() {
    for (const { id } of corpus.items(1)) yield { kind: "unchanged" as const, id };
    yield { kind: "complete" as const, cursor: "c" };
  }
  writeFileSync(join(ingest.store.texts.folder, version.slice(0, 2), `${version}.txt`), "half");
  const damaged = await ingest.run(unchanged, { models });
  expect(damaged.outcome.unfinished).toMatchObject([{ stage: "fetch", items: ["ops/winter.md"], state: "failed" }]);
  expect(damaged.checked).toHaveLength((whole.checked?.length ?? 0) - 1);
  rmSync(ingest.store.texts.folder, { recursive: true });
  expect((await ingest.run(corpus.source(1), { models })).checked).toEqual(whole.checked);
});
