import { mkdtempSync } from "node:fs";
import { createRedactor } from "@bridle/core";
import { KnownNames } from "../src/gates/known-names.ts";
import { ingest } from "../src/pipeline/ingest.ts";
import { openIngestStore } from "../src/store/ingest-store.ts";
import { sourceOf } from "./support/corpus/corpus.ts";
import { manyItems } from "./support/corpus/many-items.ts";
import { CorpusModel } from "./support/models/corpus-model.ts";
import { manyFacts } from "./support/models/known-facts.ts";
import { startModels } from "./support/start-models.ts";

const ferryKnowledge = { names: () => new KnownNames({ tables: [] }), contextTools: [] };
const started = await startModels(new CorpusModel(manyFacts).answer);
const store = openIngestStore({ stateDir: mkdtempSync("/tmp/prof-") });
for (let run = 0; run < 2; run++) {
  let last = "";
  let t0 = performance.now();
  await ingest({
    sources: [sourceOf(manyItems(500))],
    store,
    models: started.models,
    knowledge: ferryKnowledge,
    redactor: createRedactor(),
    finish: async (c) => c.length,
    onProgress: ({ stage }) => {
      if (stage !== last) {
        console.log(last, (performance.now() - t0).toFixed(0));
        t0 = performance.now();
        last = stage;
      }
    },
  });
  console.log(last, (performance.now() - t0).toFixed(0));
}
await started.close();
store.close();
