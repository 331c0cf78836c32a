/**
 * Ingests the given number of generated documents in this process three times: new, unchanged, and with one document changed. Prints a
 * table row.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { createRedactor } from "@bridle/core";
import { writeKnowledge } from "../../packages/ingest/src/runs/changes/write-knowledge.ts";
import { ingest } from "../../packages/ingest/src/runs/ingest.ts";
import { openIngestStore } from "../../packages/ingest/src/store/ingest-store.ts";
import { sourceOf } from "../../packages/ingest/tests/support/corpus/corpus.ts";
import { manyItems } from "../../packages/ingest/tests/support/corpus/many-items.ts";
import { ferryKnowledge } from "../../packages/ingest/tests/support/ferry-knowledge.ts";
import { CorpusModel } from "../../packages/ingest/tests/support/models/corpus-model.ts";
import { manyFacts } from "../../packages/ingest/tests/support/models/known-facts.ts";
import { differentStatements } from "./different-statements.ts";
import { DirectModels } from "./direct-models.ts";

const count = Number(process.argv[2]);
const projectDir = mkdtempSync(join(tmpdir(), "bridle-bench-ingest-"));
const stateDir = join(projectDir, ".bridle");
const store = openIngestStore({ stateDir });
const models = new DirectModels(differentStatements(new CorpusModel(manyFacts)));
try {
  const first = await run();
  const again = await run();
  const changed = await run(new Set([Math.floor(count / 2) * 1 - (Math.floor(count / 2) % 10) + 9]));
  const peak = process.resourceUsage().maxRSS / 1024;
  const cells = [
    String(count),
    String(first.facts),
    `${first.seconds.toFixed(1)} s`,
    `${((first.seconds * 1000) / count).toFixed(2)} ms`,
    String(first.calls),
    `${Math.ceil(models.maxPromptLength / 4)}`,
    `${peak.toFixed(0)} MB`,
    `${again.seconds.toFixed(1)} s`,
    String(again.calls),
    String(changed.calls),
  ];
  console.log(cells.map((cell) => cell.padStart(12)).join(""));
} finally {
  store.close();
  rmSync(projectDir, { recursive: true, force: true });
}

async function run(changed?: Set<number>) {
  const [start, calls] = [performance.now(), models.calls];
  const { result } = await ingest({
    sources: [sourceOf(manyItems(count, changed && { changed }))],
    store,
    models,
    knowledge: ferryKnowledge,
    redactor: createRedactor(),
    finish: (checked, reading) =>
      writeKnowledge(checked, reading, { projectDir, stateDir, mode: "apply", reason: "ingest: bench" }),
  });
  const facts = result?.changeSet.claims.length ?? 0;
  return { seconds: (performance.now() - start) / 1000, calls: models.calls - calls, facts };
}
