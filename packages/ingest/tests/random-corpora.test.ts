import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRedactor } from "@bridle/core";
import fc from "fast-check";
import { expect, test } from "vitest";
import { writeKnowledge } from "../src/changes/write-knowledge.ts";
import type { Claim } from "../src/claims/claim.ts";
import { provenanceOf } from "../src/index.ts";
import { ingest } from "../src/pipeline/ingest.ts";
import { explainKey } from "../src/provenance/why.ts";
import { openIngestStore } from "../src/store/ingest-store.ts";
import { ferryKnowledge } from "./support/ferry-knowledge.ts";
import { expectedFacts } from "./support/random/naive-knowledge.ts";
import {
  afterEdits,
  type Disturbance,
  type Documents,
  type Edit,
  type RandomRun,
  randomHistory,
  sourcesOf,
} from "./support/random/random-history.ts";
import { SentenceModel } from "./support/random/sentence-model.ts";
import { readSentence } from "./support/random/sentences.ts";

const none: Disturbance = { kind: "none", after: 0 };

class RandomProject {
  readonly projectDir = mkdtempSync(join(tmpdir(), "bridle-random-"));
  readonly stateDir = join(this.projectDir, ".bridle");
  readonly store = openIngestStore({ stateDir: this.stateDir });
  readonly models = new SentenceModel();

  async run(documents: Documents, disturbance: Disturbance = none) {
    const { projectDir, stateDir, store, models } = this;
    const stopping = new AbortController();
    const mode = disturbance.kind === "dry" ? "plan" : "apply";
    models.disturb(disturbance, () => stopping.abort());
    const { outcome, result } = await ingest({
      ...{ sources: sourcesOf(documents), store, models, knowledge: ferryKnowledge, redactor: createRedactor() },
      ...{ signal: stopping.signal, isPlan: mode === "plan" },
      finish: (checked, reading) =>
        writeKnowledge(checked, reading, { projectDir, stateDir, mode, reason: "ingest: random" }),
    });
    return { outcome, result };
  }

  loseRecord(): void {
    rmSync(join(this.projectDir, "context/written.yaml"), { force: true });
  }

  pages(): Readonly<Record<string, string>> {
    const files = globSync("context/**/*", { cwd: this.projectDir, withFileTypes: true }).filter((each) =>
      each.isFile(),
    );
    const named = files.map(({ parentPath, name }) => join(parentPath, name)).sort();
    return Object.fromEntries(named.map((file) => [file.slice(this.projectDir.length), readFileSync(file, "utf8")]));
  }

  close(): void {
    this.store.close();
    rmSync(this.projectDir, { recursive: true });
  }
}

function factsIn(claims: readonly Claim[]) {
  return claims
    .map(({ sources, status }) => {
      const sayings = sources.map(({ source, item, wording }) => `${source}/${item}: ${wording}`).sort();
      const { fact = -1, value = -1 } = readSentence(sources[0]?.wording ?? "") ?? {};
      return { fact, value, status, sayings };
    })
    .sort((a, b) => a.fact - b.fact || a.value - b.value);
}

/** Each statement stands in the part of a page that its status asks for, and each quote in the version that it names. */
function checkPages(project: RandomProject, claims: readonly Claim[]): void {
  const pages = Object.values(project.pages());
  const where = (text: string) => {
    const page = pages.find((each) => each.includes(text)) ?? "";
    const place = page.indexOf(text);
    if (place < 0) return "missing";
    return page.slice(0, place).includes("## Earlier")
      ? "superseded"
      : page.slice(0, place).includes("## Disputed")
        ? "contested"
        : "current";
  };
  const provenance = provenanceOf(project.store, {});
  for (const claim of claims) {
    const text = claim.body.kind === "statement" ? claim.body.statement : "";
    expect(where(text), text).toBe(claim.status);
    const [why] = explainKey(claim.id, provenance).claims;
    expect(why?.sources.map(({ state }) => state)).toEqual(claim.sources.map(() => "stored"));
  }
}

/** The sentences of edited documents, before and after. */
function sentencesOf(documents: Documents, edits: readonly Edit[]): ReadonlySet<string> {
  const after = afterEdits(documents, edits);
  const touched = edits.flatMap(([place]) => [documents.get(place), after.get(place)]);
  return new Set(touched.flatMap((each) => each?.sentences ?? []).map(({ text }) => text));
}

/** Models are asked about edited documents, and pairs with one of their statements. */
function expectFewQuestions({ passages, pairs }: SentenceModel, edits: readonly Edit[], touched: ReadonlySet<string>) {
  const edited = edits.map(([place]) => `Page ${place}`);
  expect(edited).toEqual(expect.arrayContaining([...passages]));
  expect(pairs.filter((pair) => !pair.some((text) => touched.has(text)))).toEqual([]);
}

async function checkHistory(runs: readonly RandomRun[]): Promise<void> {
  const project = new RandomProject();
  try {
    let documents: Documents = new Map();
    for (const { edits, disturbance } of runs) {
      const touched = sentencesOf(documents, edits);
      documents = afterEdits(documents, edits);
      project.models.reset();
      if (disturbance.kind === "lost") project.loseRecord();
      else if (disturbance.kind !== "none") await project.run(documents, disturbance);
      const { outcome, result } = await project.run(documents);
      expect(outcome).toMatchObject({ ended: "complete", unfinished: [], rejected: [] });
      expect(result?.curated).toMatchObject({ undecided: [], failed: [] });
      const claims = result?.changeSet.claims ?? [];
      expect(factsIn(claims)).toEqual(expectedFacts(documents));
      checkPages(project, claims);
      expectFewQuestions(project.models, edits, touched);
      const before = project.pages();
      const again = await project.run(documents);
      expect([project.models.calls, again.result?.changeSet.files]).toEqual([0, []]);
      expect(project.pages()).toEqual(before);
    }
    const fresh = new RandomProject();
    try {
      await fresh.run(documents);
      expect(fresh.pages()).toEqual(project.pages());
    } finally {
      fresh.close();
    }
  } finally {
    project.close();
  }
}

test("random documents over several versions are known as a naive reader knows them", async () => {
  const numRuns = 8 * Number(process.env.SOAK_FACTOR ?? 1);
  await fc.assert(fc.asyncProperty(randomHistory, checkHistory), {
    numRuns,
    seed: Number(process.env.RANDOM_SEED ?? 1),
  });
});
