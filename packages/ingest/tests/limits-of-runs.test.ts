import { BackendCrashError, OverloadedError, UsageLimitError } from "@bridle/protocol";
import type { RehearsedModel } from "@bridle/rehearsal";
import { expect, onTestFinished, test } from "vitest";
import type { IngestModels, LoopCall, ObjectCall } from "../src/models/ingest-models.ts";
import type { SourceItem } from "../src/sources/source.ts";
import { shortCorpus, sourceOf } from "./support/corpus/corpus.ts";
import { manyItems } from "./support/corpus/many-items.ts";
import { CorpusModel } from "./support/models/corpus-model.ts";
import { manyFacts, wantedFactsOf } from "./support/models/known-facts.ts";
import { stageOf } from "./support/models/prompts.ts";
import { type StartedModels, startModels } from "./support/start-models.ts";
import { foundIn, TestIngest } from "./support/test-ingest.ts";

const corpus = shortCorpus;
const faithful = new CorpusModel(wantedFactsOf(corpus));

async function start(
  model: RehearsedModel = faithful.answer,
  options: Parameters<typeof startModels>[1] = {},
): Promise<StartedModels> {
  const started = await startModels(model, options);
  onTestFinished(() => started.close());
  return started;
}

/** Wraps models so that a call may throw before it is made. */
function throwing(
  models: IngestModels,
  why: (call: ObjectCall<unknown> | LoopCall) => Error | undefined,
): IngestModels {
  return {
    modelOf: (role) => models.modelOf(role),
    async object(call) {
      const error = why(call);
      if (error !== undefined) throw error;
      return models.object(call);
    },
    async loop(call) {
      const error = why(call);
      if (error !== undefined) throw error;
      return models.loop(call);
    },
  };
}

/** A model that reads every page closely, in a unit of its own. */
class Close extends CorpusModel {
  override decide() {
    return { decision: "full", reason: "why not" };
  }
}
/** Pages in separate folders, so that each becomes a unit. */
const closePages = (count: number): SourceItem[] =>
  Array.from(manyItems(count, { noise: 0 }), (item, index) => ({ ...item, id: `${index}/page.md` }));

test("a used-up window leaves the rest for the next run, says when it opens, and no call begins after it", async () => {
  const ingest = new TestIngest();
  const { models, calls } = await start(new Close(manyFacts).answer);
  const opens = new Date("2026-06-01T10:00:00Z");
  let units = 0;
  const limited = throwing(models, ({ stage }) => {
    if (stage !== "unit" || ++units <= 5) return undefined;
    return new UsageLimitError("The usage window five_hour is used up.", { window: "five_hour", resetsAt: opens });
  });
  const first = await ingest.run(sourceOf(closePages(20)), { models: limited, concurrency: 1 });
  expect(first.outcome).toMatchObject({
    ended: "limit",
    opensAt: opens.toISOString(),
    items: { total: 20, finished: 5 },
    endReason: "The usage window five_hour is used up. 15 items are left for the next run.",
  });
  expect(first.outcome.unfinished).toMatchObject([{ stage: "unit", state: "left" }]);
  expect(first.outcome.unfinished[0]?.items).toHaveLength(15);
  expect([first.checked?.length, units]).toEqual([5, 6]);
  const before = calls();
  const second = await ingest.run(sourceOf(closePages(20)), { models });
  expect([second.checked?.length, second.outcome.ended, second.outcome.unfinished]).toEqual([20, "complete", []]);
  expect(calls() - before).toBe(15 * 2);
});

test("no call begins that may exceed the budget, and the next run continues", async () => {
  const ingest = new TestIngest();
  const model: RehearsedModel = (request) => {
    const step = new CorpusModel(manyFacts).step(request);
    return step && { ...step, usage: { input: Math.round(request.user.length / 3), output: 300 } };
  };
  const { models } = await start(model);
  const items = [...manyItems(160)];
  const whole = new TestIngest();
  const all = await whole.run(sourceOf(items), { models });
  const cost = all.outcome.stages.reduce((sum, { costUsd = 0 }) => sum + costUsd, 0);
  const budgetUsd = cost * 0.4;
  const spent: number[] = [];
  for (let run = 0; run < 12; run++) {
    const { outcome, checked } = await ingest.run(sourceOf(items), { models, budgetUsd });
    const used = outcome.stages.reduce((sum, { costUsd = 0 }) => sum + costUsd, 0);
    expect(used).toBeLessThanOrEqual(budgetUsd);
    spent.push(used);
    if (outcome.ended === "complete") {
      expect(checked).toEqual(all.checked);
      break;
    }
    expect(outcome).toMatchObject({ ended: "budget", endReason: expect.stringContaining("left for the next run.") });
  }
  expect(spent.length).toBeGreaterThan(1);
  expect(spent.length).toBeLessThan(12);
  expect(spent.reduce((sum, each) => sum + each, 0)).toBeLessThan(cost * 2.2); // small batches repeat the instructions
});

test("a budget is refused if the cost of the model is not known", async () => {
  const ingest = new TestIngest();
  const { models } = await start(faithful.answer, { backend: "openai-compatible" });
  await expect(ingest.run(corpus.source(1), { models, budgetUsd: 1 })).rejects.toThrow(
    "The cost of calls of llama-of-rehearsal is not known, so no budget can be kept. Set its price in llm.prices, or leave the budget out.",
  );
});

test("an overloaded model is asked once more at the end, and then its passages are read closely", async () => {
  const ingest = new TestIngest();
  const { models } = await start();
  const asked: string[] = [];
  const overloaded = throwing(models, ({ stage, unit = "" }) => {
    asked.push(stage);
    return stage === "triage" && unit.includes("standup") ? new OverloadedError("The host is overloaded.") : undefined;
  });
  const once = throwing(models, ({ stage }) => {
    const isFirst = !asked.includes(stage);
    asked.push(stage);
    return isFirst ? new OverloadedError("The host is overloaded.") : undefined;
  });
  const { checked, outcome } = await ingest.run(corpus.source(1), { models: once });
  expect(outcome).toMatchObject({ ended: "complete", unfinished: [] });
  expect(checked).toHaveLength(corpus.wanted(1).length);
  const other = new TestIngest();
  asked.length = 0;
  const failing = await other.run(corpus.source(1), { models: overloaded });
  expect(foundIn(failing.checked)).toEqual(foundIn(checked));
  expect(failing.outcome.unfinished).toEqual([]);
});

test("a unit that fails is tried once more, is reported, and does not affect the others", async () => {
  const ingest = new TestIngest();
  const { models } = await start(new Close(manyFacts).answer);
  let attempts = 0;
  const crashing = throwing(models, ({ stage, unit }) => {
    if (stage !== "unit" || unit !== "3/page.md") return undefined;
    attempts += 1;
    return new BackendCrashError("The host ended without an answer.");
  });
  const { outcome, checked } = await ingest.run(sourceOf(closePages(6)), { models: crashing });
  expect(outcome.unfinished).toEqual([
    {
      stage: "unit",
      unit: "3/page.md",
      source: "handbook",
      items: ["3/page.md"],
      state: "failed",
      reason: "The host ended without an answer.",
    },
  ]);
  expect([attempts, checked?.length, outcome.ended]).toEqual([2, 5, "complete"]);
  expect((await ingest.run(sourceOf(closePages(6)), { models })).checked).toHaveLength(6);
});

test("a unit that runs out of steps keeps what was accepted, and is asked again by the next run", async () => {
  const ingest = new TestIngest();
  const close = new Close(manyFacts);
  let isEndless = true;
  const { models } = await start((request) =>
    isEndless && stageOf(request) === "unit" && request.step > 1
      ? { call: "read_source", with: { passage: "p1" } }
      : close.step(request),
  );
  const first = await ingest.run(sourceOf(closePages(3)), { models, stepBudget: 3 });
  expect(first.outcome.unfinished).toMatchObject([
    { state: "incomplete", reason: "It used all of its steps. 1 proposals were accepted until then." },
    { state: "incomplete" },
    { state: "incomplete" },
  ]);
  expect([first.checked?.length, first.outcome.items.finished]).toEqual([3, 0]);
  isEndless = false;
  const second = await ingest.run(sourceOf(closePages(3)), { models, stepBudget: 3 });
  expect(second.checked).toEqual(first.checked);
  expect(second.outcome).toMatchObject({ unfinished: [], items: { finished: 3 } });
});

test("while a changed page was not read, the facts of its last version stay whose quotes are still there", async () => {
  const ingest = new TestIngest();
  const { models } = await start();
  const page = (text: string): SourceItem => ({ id: "a.md", title: "A", text, kind: "page", authority: "document" });
  const old =
    "Fog mode halves the speed inside the fjord.\n\nBoarding closes 10 minutes before departure.\n\nHigh season runs from 15 June to 31 August.";
  const fresh =
    "High season runs from 15 June to 31 August.\n\nBoarding closes 15 minutes before departure.\n\nFog mode halves the speed inside the fjord.";
  await ingest.run(sourceOf([page(old)]), { models });
  const limited = throwing(models, () => new UsageLimitError("The window is used up.", {}));
  const between = await ingest.run(sourceOf([page(fresh)]), { models: limited });
  expect(foundIn(between.checked)).toEqual([
    "a.md: Fog mode halves the speed inside the fjord.",
    "a.md: High season runs from 15 June to 31 August.",
  ]);
  expect(between.checked?.map(({ source }) => fresh.slice(source.start, source.end))).toEqual(
    between.checked?.map(({ source }) => source.quote),
  );
  expect(between.outcome.rejected).toEqual([]);
  expect(foundIn((await ingest.run(sourceOf([page(fresh)]), { models })).checked)).toHaveLength(3);
});

test("a run that is stopped stores what was answered, and the next run asks the rest only", async () => {
  const ingest = new TestIngest();
  const { models, calls } = await start(new Close(manyFacts).answer);
  const stop = new AbortController();
  let units = 0;
  const stopping = throwing(models, ({ stage }) => {
    if (stage === "unit" && ++units === 4) stop.abort();
    return undefined;
  });
  const first = await ingest.run(sourceOf(closePages(10)), { models: stopping, signal: stop.signal, concurrency: 1 });
  expect(first).toMatchObject({ checked: undefined, outcome: { ended: "stopped" } });
  const before = calls();
  const second = await ingest.run(sourceOf(closePages(10)), { models });
  expect(second.checked).toHaveLength(10);
  expect(calls() - before).toBe(7 * 2);
});

test("N units of B steps give exactly N times B step events, each with its unit", async () => {
  const ingest = new TestIngest();
  const close = new Close(manyFacts);
  const { models } = await start((request) =>
    stageOf(request) === "unit" && request.step < 4
      ? { call: "read_source", with: { passage: "p1" } }
      : close.step({ ...request, step: 2, results: [] }),
  );
  const steps: string[] = [];
  const progress: string[] = [];
  await ingest.run(sourceOf(closePages(6)), {
    models,
    stepBudget: 7,
    concurrency: 3,
    onStep: ({ unit, index, budget }) => steps.push(`${unit} ${index}/${budget}`),
    onProgress: ({ stage, done, total }) => progress.push(`${stage} ${done}/${total}`),
  });
  const expected = Array.from({ length: 6 }, (_, unit) => [1, 2, 3, 4].map((step) => `${unit}/page.md ${step}/7`));
  expect(steps.toSorted()).toEqual(expected.flat().toSorted());
  for (const line of ["fetch 1/1", "triage 6/6", "unit 0/6", "unit 6/6", "apply 1/1"]) expect(progress).toContain(line);
});

test("another process sees how far a run is, and how it ended", async () => {
  const ingest = new TestIngest();
  const { models } = await start();
  const seen = new Set<string>();
  await ingest.run(corpus.source(1), {
    models,
    now: (() => {
      let time = 0;
      return () => (time += 1000);
    })(),
    onProgress: () => {
      const { state = "", progress = "{}" } = ingest.store.runs.last() ?? {};
      seen.add(`${state} ${JSON.parse(progress).stage ?? ""}`);
    },
  });
  expect([...seen]).toEqual(
    expect.arrayContaining(["running fetch", "running triage", "running light", "running unit"]),
  );
  expect(JSON.parse(ingest.store.runs.last()?.outcome ?? "{}")).toMatchObject({ ended: "complete" });
});

test("a second ingest is refused while one is in progress, and the first ends well", async () => {
  const ingest = new TestIngest();
  const { models } = await start();
  const second = new TestIngest(ingest.stateDir);
  let refusal: unknown;
  const first = await ingest.run(corpus.source(1), {
    models,
    onStep: () => {
      refusal ??= second.run(corpus.source(1), { models }).catch((error: unknown) => error);
    },
  });
  expect(await refusal).toMatchObject({
    message: expect.stringMatching(/^Another ingest is in progress: this process began it/),
  });
  expect(first.checked).toHaveLength(corpus.wanted(1).length);
});
