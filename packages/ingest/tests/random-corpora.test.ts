import fc from "fast-check";
import { expect, test } from "vitest";
import type { Claim } from "../src/claims/claim.ts";
import { provenanceOf } from "../src/index.ts";
import { explainKey } from "../src/provenance/why.ts";
import { expectedFacts } from "./support/random/naive-knowledge.ts";
import {
  afterEdits,
  type Documents,
  type Edit,
  type RandomRun,
  randomHistory,
} from "./support/random/random-history.ts";
import { RandomProject } from "./support/random/random-project.ts";
import type { SentenceModel } from "./support/random/sentence-model.ts";
import { readSentence } from "./support/random/sentences.ts";

function factsIn(claims: readonly Claim[]) {
  return claims
    .map(({ sources, status }) => {
      const sayings = sources.map(({ source, item, wording }) => `${source}/${item}: ${wording}`).sort();
      const { fact = -1, value = -1 } = readSentence(sources[0]?.wording ?? "") ?? {};
      return { fact, value, status, sayings };
    })
    .sort((a, b) => a.fact - b.fact || a.value - b.value);
}

/**
 * Checks that each statement is in the section of a page that matches its status, and that each quote is in the stored version of its
 * document.
 */
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

/** Returns the sentences of edited documents before and after the edits. */
function sentencesOf(documents: Documents, edits: readonly Edit[]): ReadonlySet<string> {
  const after = afterEdits(documents, edits);
  const touched = edits.flatMap(([place]) => [documents.get(place), after.get(place)]);
  return new Set(touched.flatMap((each) => each?.sentences ?? []).map(({ text }) => text));
}

/**
 * Whether an edited document no longer contains a sentence. A lying model may have merged that sentence with others, which are compared
 * again.
 */
function losesSentences(documents: Documents, edits: readonly Edit[]): boolean {
  const after = afterEdits(documents, edits);
  return edits.some(([place]) => {
    const kept = new Set(after.get(place)?.sentences.map(({ text }) => text));
    return (documents.get(place)?.sentences ?? []).some(({ text }) => !kept.has(text));
  });
}

/** Checks that models are asked only about edited documents and about pairs with a statement from these, unless `touched` is undefined. */
function expectFewQuestions({ passages, pairs }: SentenceModel, edits: readonly Edit[], touched?: ReadonlySet<string>) {
  const edited = edits.map(([place]) => `Page ${place}`);
  expect(edited).toEqual(expect.arrayContaining([...passages]));
  if (touched) expect(pairs.filter((pair) => !pair.some((text) => touched.has(text)))).toEqual([]);
}

/**
 * Checks that each sentence keeps its document, and that sentences with different numbers are different claims, regardless of the model's
 * answers about pairs.
 */
function expectNothingLost(project: RandomProject, claims: readonly Claim[], documents: Documents): void {
  const wanted = expectedFacts(documents).flatMap(({ sayings }) => sayings);
  expect(
    factsIn(claims)
      .flatMap(({ sayings }) => sayings)
      .sort(),
  ).toEqual(wanted.sort());
  const pages = Object.values(project.pages()).join("\n");
  for (const { body, sources } of claims) {
    const numbers = new Set(sources.map(({ wording }) => /\d+/.exec(wording)?.[0]));
    expect(numbers.size, JSON.stringify(sources.map(({ wording }) => wording))).toBe(1);
    expect(pages).toContain(body.kind === "statement" ? body.statement : "");
  }
}

async function checkHistory(runs: readonly RandomRun[], isLying = false): Promise<void> {
  const project = new RandomProject({ isLying });
  try {
    let documents: Documents = new Map();
    for (const { edits, disturbance } of runs) {
      const touched = sentencesOf(documents, edits);
      const hasLost = losesSentences(documents, edits);
      documents = afterEdits(documents, edits);
      project.models.reset();
      if (disturbance.kind === "lost") project.loseRecord();
      else if (disturbance.kind !== "none") await project.run(documents, disturbance);
      const { outcome, result } = await project.run(documents);
      expect(outcome).toMatchObject({ ended: "complete", unfinished: [], rejected: [] });
      expect(result?.curated).toMatchObject({ undecided: [], failed: [] });
      const claims = result?.changeSet.claims ?? [];
      expectNothingLost(project, claims, documents);
      if (!isLying) {
        expect(factsIn(claims)).toEqual(expectedFacts(documents));
        checkPages(project, claims);
      }
      expectFewQuestions(project.models, edits, isLying && hasLost ? undefined : touched);
      const before = project.pages();
      const again = await project.run(documents);
      expect([project.models.calls, again.result?.changeSet.files]).toEqual([0, []]);
      expect(project.pages()).toEqual(before);
    }
    const fresh = new RandomProject({ isLying });
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

const factor = Number(process.env.SOAK_FACTOR ?? 1);

test("random documents over several versions are known as a naive reader knows them", async () => {
  const property = fc.asyncProperty(randomHistory, (runs) => checkHistory(runs));
  await fc.assert(property, { numRuns: 6 * factor, seed: 1 });
});

test("if a model compares statements at random, every statement keeps its documents, and a run that changes nothing asks nothing", async () => {
  const property = fc.asyncProperty(randomHistory, (runs) => checkHistory(runs, true));
  await fc.assert(property, { numRuns: 3 * factor, seed: 1 });
});
