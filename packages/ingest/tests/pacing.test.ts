/** Like all other model calls, ingest's calls wait for the account: for its concurrency limit, and for its usage windows. */
import { setTimeout as sleep } from "node:timers/promises";
import type { RehearsedModel } from "@bridle/rehearsal";
import { expect, onTestFinished, test } from "vitest";
import type { SourceItem } from "../src/sources/source.ts";
import { sourceOf } from "./support/corpus/corpus.ts";
import { manyItems } from "./support/corpus/many-items.ts";
import { CorpusModel } from "./support/models/corpus-model.ts";
import { manyFacts } from "./support/models/known-facts.ts";
import { stageOf } from "./support/models/prompts.ts";
import { startModels } from "./support/start-models.ts";
import { TestIngest } from "./support/test-ingest.ts";

/** A model that reads every page closely, in a unit of its own. */
class Close extends CorpusModel {
  override decide() {
    return { decision: "full", reason: "why not" };
  }
}
const close = new Close(manyFacts);
const pages = (count: number): SourceItem[] =>
  Array.from(manyItems(count, { noise: 0 }), (item, index) => ({ ...item, id: `${index}/page.md` }));

const start = async (model: RehearsedModel, options: Parameters<typeof startModels>[1] = {}) => {
  const started = await startModels(model, options);
  onTestFinished(() => started.close());
  return started;
};

test.each([
  ["the account allows two", 2, 2],
  ["the run begins four", 8, 4],
])("if %s calls at a time, no more are in progress", async (_, maxConcurrency, max) => {
  let [inProgress, peak] = [0, 0];
  const model: RehearsedModel = async (request) => {
    if (stageOf(request) !== "unit") return close.step(request);
    inProgress += 1;
    peak = Math.max(peak, inProgress);
    await sleep(20);
    inProgress -= 1;
    return close.step(request);
  };
  const { models } = await start(model, { limits: { maxConcurrency } });
  const { checked } = await new TestIngest().run(sourceOf(pages(10)), { models, concurrency: 4 });
  expect([checked?.length, peak]).toEqual([10, max]);
});

const onLogin = { backend: "claude-code with a login" } as const;

/** Creates a model whose usage window is used up after this many units have started. */
function usedUpAfter(units: number, resetsInSeconds: number, times = Number.POSITIVE_INFINITY): RehearsedModel {
  let [begun, refused] = [0, 0];
  return (request) => {
    if (stageOf(request) === "unit" && request.step === 1 && ++begun > units && refused < times) {
      refused += 1;
      return { limit: { resets_in_seconds: resetsInSeconds } };
    }
    return close.step(request);
  };
}

test("four units at a time stop at a used-up window of a login, and the next run asks only the rest", async () => {
  const ingest = new TestIngest();
  const source = sourceOf(pages(12));
  const first = await startModels(usedUpAfter(5, 3600), onLogin);
  const { outcome, checked } = await ingest.run(source, { models: first.models, concurrency: 4 });
  await first.close();
  expect(outcome).toMatchObject({ ended: "limit", items: { total: 12 } });
  expect(Date.parse(outcome.opensAt ?? "") - Date.now()).toBeGreaterThan(3_000_000);
  const done = checked?.length ?? 0;
  expect(done).toBeGreaterThan(0);
  expect(done).toBeLessThanOrEqual(5);
  expect(outcome.unfinished.flatMap(({ items }) => items)).toHaveLength(12 - done);
  const begun = first.asked.filter((request) => stageOf(request) === "unit" && request.step === 1);
  expect(begun.length).toBeLessThanOrEqual(5 + 4);

  const second = await start(close.answer, onLogin);
  const next = await ingest.run(source, { models: second.models, concurrency: 4 });
  expect([next.checked?.length, next.outcome.ended, next.outcome.unfinished]).toEqual([12, "complete", []]);
  expect(new Set(second.asked.map(stageOf))).toEqual(new Set(["unit"]));
  expect(second.asked.filter(({ step }) => step === 1)).toHaveLength(12 - done);
});

test("units that may wait begin again when the window opens, and the run ends as if nothing had happened", async () => {
  const { models } = await start(usedUpAfter(3, 2, 1), { ...onLogin, limits: { onUsageLimit: "wait" } });
  const { outcome, checked } = await new TestIngest().run(sourceOf(pages(8)), { models, concurrency: 4 });
  expect([checked?.length, outcome.ended, outcome.unfinished]).toEqual([8, "complete", []]);
});
