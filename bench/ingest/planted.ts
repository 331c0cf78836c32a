/** Measures how many planted facts of a folder of documents become claims, with a scripted model or a real one. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createRedactor } from "@bridle/core";
import { createRuntime } from "@bridle/project";
import { z } from "zod";
import type { Claim } from "../../packages/ingest/src/claims/claim.ts";
import { KnownNames } from "../../packages/ingest/src/claims/gates/known-names.ts";
import { createRuntimeModels } from "../../packages/ingest/src/models/runtime-models.ts";
import { writeKnowledge } from "../../packages/ingest/src/runs/changes/write-knowledge.ts";
import { ingest } from "../../packages/ingest/src/runs/ingest.ts";
import { createSource } from "../../packages/ingest/src/sources/kinds/create-source.ts";
import { openIngestStore } from "../../packages/ingest/src/store/ingest-store.ts";
import { Corpus, type StatedFact } from "../../packages/ingest/tests/support/corpus/corpus.ts";
import { unwantedKinds } from "../../packages/ingest/tests/support/corpus/planted-facts.ts";
import { CuratingModel } from "../../packages/ingest/tests/support/models/curating-model.ts";

const wantedNames = ["kept", "updated", "evicted", "evicted-one-source", "moved", "duplicate"] as const;
const kinds = z.enum([
  ...wantedNames,
  "contradiction",
  "dated-contradiction",
  "noise",
  "hearsay",
  "secret",
  "injection",
  "unknown-identifier",
]);
const goldSchema = z.object({
  facts: z.array(
    z.looseObject({
      id: z.string(),
      kind: z.string(),
      statement: z.string(),
      documents: z.array(z.string()),
      /** One entry for each document, if the documents differ. */
      wordings: z.array(z.string()).optional(),
    }),
  ),
});

/**
 * Prints the share of planted facts that become claims. `folder` contains gold.json, and the documents below `sync1`. With `isLive`, the
 * model of the user's own login answers.
 */
export async function benchPlanted(folder: string, { isLive }: { readonly isLive: boolean }): Promise<void> {
  const corpus = readCorpus(join(folder, "gold.json"));
  const projectDir = mkdtempSync(join(tmpdir(), "bridle-bench-planted-"));
  const stateDir = join(projectDir, ".bridle");
  const store = openIngestStore({ stateDir });
  const runtime = await createRuntime(isLive ? {} : { rehearse: new CuratingModel(corpus).answer });
  try {
    const settings = { type: "documents", path: resolve(folder, "sync1"), include: ["**/*.md"] };
    const source = await createSource("planted", settings, { projectDir });
    const knowledge = { names: () => new KnownNames({ tables: [] }), contextTools: [] };
    const models = createRuntimeModels(runtime, { models: { default: isLive ? "live" : "scripted" } });
    const { outcome, result } = await ingest({
      sources: [source],
      store,
      models,
      knowledge,
      redactor: createRedactor(),
      finish: (checked, reading) =>
        writeKnowledge(checked, reading, { projectDir, stateDir, mode: "apply", reason: "ingest: bench" }),
    });
    printScores(corpus.stated(1), result?.changeSet.claims ?? []);
    const sum = (of: (stage: (typeof outcome.stages)[number]) => number) =>
      outcome.stages.reduce((total, stage) => total + of(stage), 0);
    printFigure(
      "calls",
      sum(({ calls }) => calls),
    );
    printFigure(
      "tokens",
      sum(({ inputTokens, outputTokens }) => inputTokens + outputTokens),
    );
    printFigure("cost", `${sum(({ costUsd = 0 }) => costUsd).toFixed(2)} USD`);
    printFigure("rejected", outcome.rejected.length);
    for (const { unit, reason } of outcome.unfinished) printFigure("unfinished", `${unit}: ${reason}`);
  } finally {
    await runtime.close();
    store.close();
    rmSync(projectDir, { recursive: true, force: true });
  }
}

function readCorpus(file: string): Corpus {
  if (!existsSync(file)) throw new Error(`There is no ${file}.`);
  const { facts } = goldSchema.parse(JSON.parse(readFileSync(file, "utf8")));
  const planted = facts.flatMap(({ id, kind, statement, documents, wordings }) => {
    const sayings = documents.flatMap((document, index) =>
      document.endsWith(".md") ? [{ document, text: wordings?.[index] ?? statement }] : [],
    );
    const known = kinds.safeParse(kind);
    const subject = statement.slice(0, 60);
    const fact = { id, subject, topic: "planted", category: "rule" as const, sayings };
    return known.success && sayings.length > 0 ? [{ ...fact, kind: known.data }] : [];
  });
  return new Corpus(planted);
}

function printScores(stated: readonly StatedFact[], claims: readonly Claim[]): void {
  const says = (claim: Claim, { document, text }: StatedFact) =>
    claim.sources.some(({ item, quote }) => item === document && (quote.includes(text) || text.includes(quote)));
  const isClaim = (fact: StatedFact) => claims.some((claim) => says(claim, fact));
  const wanted = stated.filter(({ fact }) => !unwantedKinds.has(fact.kind));
  const unwanted = stated.filter(({ fact }) => unwantedKinds.has(fact.kind));
  const wrong = unwanted.filter(isClaim);
  const planted = claims.filter((claim) => wanted.some((fact) => says(claim, fact)));
  const contradictions = wanted.filter(({ fact }) => fact.kind.includes("contradiction"));
  const seen = contradictions.filter((fact) => claims.some((each) => says(each, fact) && each.status !== "current"));
  printFigure("recall", `${wanted.filter(isClaim).length}/${wanted.length} statements of planted facts`);
  printFigure("precision", `${planted.length}/${claims.length} claims are planted facts; look at the others`);
  printFigure("wrong", `${wrong.length}/${unwanted.length} statements that must not become claims`);
  printFigure("contradictions", `${seen.length}/${contradictions.length} statements are known to be disputed`);
  for (const { document, text } of wanted.filter((fact) => !isClaim(fact)))
    printFigure("missing", `${document}: ${text}`);
  for (const { document, text } of wrong) printFigure("wrong", `${document}: ${text}`);
}

function printFigure(name: string, value: string | number): void {
  console.log(`${name.padEnd(16)}${value}`);
}
