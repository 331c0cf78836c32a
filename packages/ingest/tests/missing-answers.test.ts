import { createRedactor } from "@bridle/core";
import { ConfigError } from "@bridle/protocol";
import { expect, test } from "vitest";
import { curateClaims } from "../src/curation/curate-claims.ts";
import { ingest } from "../src/runs/ingest.ts";
import type { StageOptions } from "../src/runs/run-context.ts";
import type { Candidate } from "../src/sources/candidate.ts";
import type { IngestSource, SourceItem } from "../src/sources/source.ts";
import { sourceOf } from "./support/corpus/corpus.ts";
import { ferryKnowledge } from "./support/ferry-knowledge.ts";
import { extracted, ScriptedModels } from "./support/models/scripted-models.ts";
import { TestIngest } from "./support/test-ingest.ts";

const quote = "Passengers with a pet pay 8 euro more on every route.";
const paraphrase = "Passengers with a pet pay a surcharge of 8 euro on every route.";
const item: SourceItem = {
  id: "pets.md",
  title: "Pets",
  text: `# Pets\n\n${quote}\n`,
  kind: "page",
  authority: "document",
};
const yes = { pairs: [{ pair: "p1", says: "yes" }] };
const light = { candidates: [extracted(paraphrase, quote)] };

/** Performs a run that stores its claims, as a run that writes files does. */
async function run({ store }: TestIngest, models: ScriptedModels, items = [item], more: Partial<StageOptions> = {}) {
  const { outcome, result = [] } = await ingest({
    store,
    models,
    knowledge: ferryKnowledge,
    redactor: createRedactor(),
    ...more,
    sources: items.length === 0 ? [] : [sourceOf(items)],
    finish: async (checked, reading) => {
      const previous = store.claims.list();
      const { claims } = await curateClaims(checked, { ...reading, decisions: {}, pages: [], previous });
      store.claims.replace(claims, new Date());
      return claims;
    },
  });
  return { outcome, wordings: result.flatMap(({ sources }) => sources.map(({ wording }) => wording)) };
}

test("a paraphrase that a model has confirmed holds while the next model gives no answer about it", async () => {
  const project = new TestIngest();
  const first = await run(project, new ScriptedModels({ light, verify: yes }));
  expect(first.wordings).toEqual([paraphrase]);
  for (let time = 0; time < 2; time += 1) {
    const without = await run(project, new ScriptedModels({ light }, "another model"));
    expect(without.wordings).toEqual([paraphrase]);
    expect(without.outcome.unfinished).toMatchObject([{ stage: "verify", state: "left", items: ["pets.md"] }]);
  }
  const no = { pairs: [{ pair: "p1", says: "no" }] };
  expect((await run(project, new ScriptedModels({ light, verify: no }, "another model"))).wordings).toEqual([]);
});

test("a paraphrase that no model has confirmed yet is no fact", async () => {
  const found = await run(new TestIngest(), new ScriptedModels({ light }));
  expect(found.wordings).toEqual([]);
});

const twoQuotes: SourceItem = {
  ...item,
  text: `# Fares\n\n${quote}\n\nChildren under 6 years travel free with an adult.\n`,
};
const twoFacts = [
  extracted(paraphrase, quote),
  extracted(
    "Children under 6 years get a free ticket with an adult.",
    "Children under 6 years travel free with an adult.",
  ),
];

test("a paraphrase that an answer leaves out is asked about once more, and again by the next run", async () => {
  const project = new TestIngest();
  const light = { candidates: twoFacts };
  const half = new ScriptedModels({
    light,
    verify: ({ prompt }: { prompt: string }) => (prompt.includes(paraphrase) ? yes : { pairs: [] }),
  });
  const first = await run(project, half, [twoQuotes]);
  expect(first.wordings).toEqual([paraphrase]);
  expect(first.outcome.rejected).toEqual([]);
  expect(first.outcome.unfinished).toMatchObject([
    { stage: "verify", state: "failed", items: ["pets.md"], reason: "The model gave no answer about it." },
  ]);
  expect(half.calls.filter((stage) => stage === "verify")).toHaveLength(2);
  const second = await run(project, new ScriptedModels({ light, verify: yes }), [twoQuotes]);
  expect(second.wordings).toHaveLength(2);
  expect(second.outcome.unfinished).toEqual([]);
});

test("a run that may ask no model asks none, without a budget too, and keeps what holds", async () => {
  const project = new TestIngest();
  const models = new ScriptedModels({ light, verify: yes });
  await run(project, models);
  const other = new ScriptedModels({ light, verify: { pairs: [] } }, "another model");
  const { outcome, wordings } = await run(project, other, [], { asksNothing: true });
  expect(other.calls).toEqual([]);
  expect(wordings).toEqual([paraphrase]);
  const reason = "This run asks no model. The next ingest does.";
  expect(outcome.unfinished).toMatchObject([
    { stage: "triage", state: "left", reason },
    { stage: "verify", state: "left", reason },
  ]);
});

test("a source that cannot be opened keeps what its parser has read", async () => {
  const project = new TestIngest();
  const models = new ScriptedModels({});
  const parsed: SourceItem = { ...item, isStructured: true };
  const source = sourceOf([parsed], "glossary");
  const body = { kind: "statement", subject: "pets", statement: quote, topic: "fares", category: "rule" } as const;
  const candidate: Candidate = {
    body: { ...body, tables: [] },
    evidence: { source: "glossary", item: "pets.md", quote },
    origin: "projection",
  };
  const parsing = { ...source, project: () => ({ candidates: [candidate], findings: [] }) };
  expect((await project.run(parsing, { models })).checked).toHaveLength(1);
  const { name, type } = source;
  const unusable: IngestSource = {
    name,
    type,
    // biome-ignore lint/correctness/useYield: it yields nothing
    async *fetch() {
      throw new ConfigError("The variable TOKEN is missing. Set it.");
    },
  };
  const later = await project.run(unusable, { models });
  expect(later.outcome.sources).toMatchObject([
    { isComplete: false, problems: [{ message: expect.stringContaining("TOKEN is missing") }] },
  ]);
  expect(later.checked).toHaveLength(1);
});
