import { expect, onTestFinished, test } from "vitest";
import { Corpus, corpusVersions } from "./support/corpus/corpus.ts";
import { CorpusModel } from "./support/models/corpus-model.ts";
import { wantedFactsOf } from "./support/models/known-facts.ts";
import { type StartedModels, startModels } from "./support/start-models.ts";
import { foundIn, TestIngest } from "./support/test-ingest.ts";

const corpus = new Corpus();
const wanted = (version: number) =>
  corpus
    .wanted(version)
    .map(({ document, text }) => `${document}: ${text}`)
    .sort();

async function faithful(): Promise<StartedModels> {
  const started = await startModels(new CorpusModel(wantedFactsOf(corpus)).answer);
  onTestFinished(() => started.close());
  return started;
}

test("a faithful model finds exactly the planted facts of each version, and an unchanged run asks nothing", async () => {
  const ingest = new TestIngest();
  const { models, calls, rehearsal } = await faithful();
  for (let version = 1; version <= corpusVersions; version++) {
    const first = await ingest.run(corpus.source(version), { models });
    expect(foundIn(first.checked), `version ${version}`).toEqual(wanted(version));
    expect(first.outcome).toMatchObject({ ended: "complete", unfinished: [], rejected: [] });
    const before = calls();
    const again = await ingest.run(corpus.source(version), { models });
    expect(again.checked).toEqual(first.checked);
    expect(calls() - before, `version ${version} again`).toBe(0);
  }
  expect(rehearsal.failures).toEqual([]);
});
