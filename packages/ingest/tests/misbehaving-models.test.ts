import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { isSoak } from "../../../tests/support/soak.ts";
import type { CheckedCandidate } from "../src/claims/checked-candidate.ts";
import { Corpus, corpusVersions, shortCorpus } from "./support/corpus/corpus.ts";
import { ferryKnowledge } from "./support/ferry-knowledge.ts";
import { misbehaviours } from "./support/models/misbehaving-models.ts";
import { startModels } from "./support/start-models.ts";
import { foundIn, TestIngest } from "./support/test-ingest.ts";

const corpus = isSoak ? new Corpus() : shortCorpus;
const wanted = (version: number) =>
  corpus
    .wanted(version)
    .map(({ document, text }) => `${document}: ${text}`)
    .sort();

/** Returns the wrong statements. A statement is right if its document's version states the same fact, in any equivalent wording. */
function wrongOnes(checked: readonly CheckedCandidate[], version: number): readonly string[] {
  const plain = (text: string) => text.toLowerCase().replaceAll("ß", "ss");
  const right = corpus.wanted(version).flatMap(({ document, text, fact }) => {
    const meansTheSame = fact.kind === "duplicate" || fact.kind === "evicted-one-source";
    const wordings = meansTheSame ? fact.sayings.map((saying) => saying.text) : [text];
    return wordings.map((wording) => plain(`${document}: ${wording}`));
  });
  return foundIn(checked).filter((each) => !right.includes(plain(each)));
}

const knowledge = {
  ...ferryKnowledge,
  checkModelPart: async () => "There is no column amount_centz.",
};

describe.each(misbehaviours(corpus))(
  "a model that $name",
  ({ model, refused, findsAll = true, isUnfinished = false }) => {
    test("gets nothing wrong into the knowledge, and loses nothing that it was right about", async () => {
      const ingest = new TestIngest();
      const started = await startModels(model);
      onTestFinished(() => started.close());
      const gates = new Set<string>();
      for (let version = 1; version <= corpusVersions; version++) {
        const { checked = [], outcome } = await ingest.run(corpus.source(version), {
          models: started.models,
          knowledge,
          stepBudget: 4,
        });
        expect(wrongOnes(checked, version), `version ${version}`).toEqual([]);
        if (findsAll) expect(foundIn(checked)).toEqual(expect.arrayContaining(wanted(version)));
        expect(outcome.unfinished.length > 0, JSON.stringify(outcome.unfinished)).toBe(isUnfinished);
        for (const { gate } of outcome.rejected) gates.add(gate);
        const reported = JSON.stringify([outcome, checked]);
        for (const { kind, mustNotAppear = "" } of corpus.facts.filter((each) => each.kind === "secret"))
          expect(reported.includes(mustNotAppear), kind).toBe(false);
      }
      expect([...gates]).toEqual(expect.arrayContaining([...refused]));
      expect(started.rehearsal.failures).toEqual([]);
      expectNoSecret(ingest.stateDir);
    });
  },
);

function expectNoSecret(folder: string): void {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
  const bytes = files.map(({ parentPath, name }) => readFileSync(join(parentPath, name)).toString("latin1")).join("\n");
  for (const { mustNotAppear = "" } of corpus.facts.filter((each) => each.kind === "secret"))
    expect(bytes.includes(mustNotAppear), mustNotAppear).toBe(false);
}
