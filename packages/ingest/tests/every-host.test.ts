import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRedactor } from "@bridle/core";
import { expect, onTestFinished, test } from "vitest";
import { writeKnowledge } from "../src/runs/changes/write-knowledge.ts";
import { ingest } from "../src/runs/ingest.ts";
import type { IngestOutcome } from "../src/runs/ingest-outcome.ts";
import { openIngestStore } from "../src/store/ingest-store.ts";
import { shortCorpus } from "./support/corpus/corpus.ts";
import { ferryKnowledge } from "./support/ferry-knowledge.ts";
import { CorpusModel } from "./support/models/corpus-model.ts";
import { CuratingModel } from "./support/models/curating-model.ts";
import { wantedFactsOf } from "./support/models/known-facts.ts";
import { stageOf } from "./support/models/prompts.ts";
import { type StartedModels, startModels, testedBackends } from "./support/start-models.ts";
import { TestIngest } from "./support/test-ingest.ts";

const corpus = shortCorpus;
const faithful = new CorpusModel(wantedFactsOf(corpus));

/** Returns every question, with the prompts that were sent. */
function questionsOf({ asked }: StartedModels): readonly string[] {
  return asked.map((request) => `${stageOf(request)} ${request.step} ${request.user}`).sort();
}

let ingested: ReturnType<typeof ingestOn> | undefined;
const onAnthropic = () => (ingested ??= ingestOn("anthropic"));

test("an ingest on anthropic plans pages with every fact", async () => {
  const found = await onAnthropic();
  const text = JSON.stringify(found.files);
  expect(found.files.length).toBeGreaterThan(5);
  for (const { document } of corpus.wanted(1)) expect(text).toContain(`item: ${document}`);
});

test.each(testedBackends.filter((name) => name !== "anthropic"))(
  "an ingest on %s makes the same change set as on anthropic, with the same questions",
  async (backend) => {
    const [found, expected] = [await ingestOn(backend), await onAnthropic()];
    expect(found.checked).toEqual(expected.checked);
    expect(found.files).toEqual(expected.files);
    expect(found.claims).toEqual(expected.claims);
    expect(found.questions).toEqual(expected.questions);
    expect(figuresOf(found.outcome)).toEqual(figuresOf(expected.outcome));
    expect(found.outcome).toMatchObject({ ended: "complete", unfinished: [], rejected: [] });
  },
);

const figuresOf = ({ stages }: IngestOutcome) => stages.map(({ stage, calls, stored }) => ({ stage, calls, stored }));

/** Returns the planned files of a first run in an empty project, and the claims that the files are rendered from. */
async function ingestOn(backend: (typeof testedBackends)[number]) {
  const projectDir = mkdtempSync(join(tmpdir(), "bridle-every-host-"));
  const stateDir = join(projectDir, ".bridle");
  const store = openIngestStore({ stateDir });
  const started = await startModels(new CuratingModel(corpus).answer, { backend });
  try {
    const { outcome, result } = await ingest({
      sources: [corpus.source(1)],
      store,
      models: started.models,
      knowledge: ferryKnowledge,
      redactor: createRedactor(),
      finish: async (checked, reading) => {
        const options = { projectDir, stateDir, mode: "plan", reason: "ingest: handbook" } as const;
        return { checked, ...(await writeKnowledge(checked, reading, options)) };
      },
    });
    expect(started.rehearsal.failures).toEqual([]);
    if (result === undefined) throw new Error("The run was stopped.");
    const { files, claims } = result.changeSet;
    return { outcome, files, claims, checked: result.checked, questions: questionsOf(started) };
  } finally {
    store.close();
    await started.close();
    rmSync(projectDir, { recursive: true });
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
