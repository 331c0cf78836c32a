import { expect, onTestFinished, test } from "vitest";
import { shortCorpus } from "./support/corpus/corpus.ts";
import { CorpusModel } from "./support/models/corpus-model.ts";
import { wantedFactsOf } from "./support/models/known-facts.ts";
import { stageOf } from "./support/models/prompts.ts";
import { type StartedModels, startModels, testedBackends } from "./support/start-models.ts";
import { TestIngest, type TestRun } from "./support/test-ingest.ts";

const corpus = shortCorpus;
const faithful = new CorpusModel(wantedFactsOf(corpus));

/** Every question, with the texts that were sent. */
function questionsOf({ asked }: StartedModels): readonly string[] {
  return asked.map((request) => `${stageOf(request)} ${request.step} ${request.user}`).sort();
}

let onAnthropic: ReturnType<typeof ingestOn> | undefined;

test.each(testedBackends.filter((name) => name !== "anthropic"))(
  "an ingest on %s finds the same as on anthropic, with the same questions",
  async (backend) => {
    onAnthropic ??= ingestOn("anthropic");
    const [{ run, questions }, expected] = [await ingestOn(backend), await onAnthropic];
    expect(run.checked).toEqual(expected.run.checked);
    expect(questions).toEqual(expected.questions);
    const figures = (each: TestRun) =>
      each.outcome.stages.map(({ stage, calls, stored }) => ({ stage, calls, stored }));
    expect(figures(run)).toEqual(figures(expected.run));
    expect(run.outcome).toMatchObject({ ended: "complete", unfinished: [], rejected: [] });
  },
);

async function ingestOn(backend: (typeof testedBackends)[number]) {
  const started = await startModels(faithful.answer, { backend });
  try {
    const run = await new TestIngest().run(corpus.source(1), { models: started.models });
    expect(started.rehearsal.failures).toEqual([]);
    return { run, questions: questionsOf(started) };
  } finally {
    await started.close();
  }
}

test("on a login, a used-up window leaves the rest for the next run, with the time when it opens", async () => {
  let units = 0;
  const started = await startModels(
    (request) => {
      if (stageOf(request) === "unit" && request.step === 1 && ++units > 1)
        return { limit: { resets_in_seconds: 3600 } };
      return faithful.step(request);
    },
    { backend: "claude-code with a login" },
  );
  onTestFinished(() => started.close());
  const ingest = new TestIngest();
  const { outcome } = await ingest.run(corpus.source(1), { models: started.models, concurrency: 1 });
  expect(outcome).toMatchObject({
    ended: "limit",
    endReason: expect.stringContaining("The usage window five_hour is used up."),
  });
  const opensIn = (Date.parse(outcome.opensAt ?? "") - Date.now()) / 1000;
  expect(opensIn).toBeGreaterThan(3000);
  expect(outcome.unfinished).toMatchObject([{ stage: "unit", state: "left" }]);
});
