/** Ingests the planted facts in a process that kills itself at a given point. The model answers at a given address. */
import { statSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { Worker } from "node:worker_threads";
import { createAgentRuntime, createRedactor } from "@bridle/core";
import { createModelApiBackend } from "@bridle/model-api";
import { getErrorMessage } from "@bridle/protocol";
import { z } from "zod";
import type { IngestModels } from "../src/models/ingest-models.ts";
import { createRuntimeModels } from "../src/models/runtime-models.ts";
import { ingest } from "../src/runs/ingest.ts";
import { ingestFile, openIngestStore } from "../src/store/ingest-store.ts";
import { shortCorpus, smallCorpus } from "./support/corpus/corpus.ts";
import { ferryKnowledge } from "./support/ferry-knowledge.ts";

const killKinds = ["progress", "answer", "write", "finish"] as const;

flushCompileCache(); // a killed process stores nothing
const [stateDir = "", url = "", kindText, pointText, size = "small"] = process.argv.slice(2);
const corpus = size === "short" ? shortCorpus : smallCorpus;
const kind = z.enum([...killKinds, "never"]).parse(kindText);
let left = z.coerce.number().parse(pointText);

/** Ends the process at the requested point, like a power failure. */
function pass(passed: typeof kind): void {
  if (passed === kind && left-- <= 0) process.kill(process.pid, "SIGKILL");
}

/** Wraps models so that the process can be killed after a model has answered and before the answer is used. */
function killable(models: IngestModels): IngestModels {
  return {
    modelOf: (role) => models.modelOf(role),
    async object(call) {
      const answer = await models.object(call);
      pass("answer");
      return answer;
    },
    async loop(call) {
      const end = await models.loop(call);
      pass("answer");
      return end;
    },
  };
}

const backend = createModelApiBackend({ id: "anthropic", apiKey: "key-of-test", baseUrl: url });
const models = { default: "claude-sonnet-5-5" };
const runtime = createAgentRuntime({ backend, models });
const store = openIngestStore({ stateDir });
if (kind === "write") {
  const watcher = new URL("killing-thread.ts", import.meta.url);
  const workerData = { file: `${ingestFile({ stateDir })}-wal`, bytes: left };
  const thread = new Worker(watcher, { workerData });
  await new Promise((resolve) => thread.once("message", resolve));
}
const outcome = await ingest({
  sources: [corpus.source(1)],
  store,
  models: killable(createRuntimeModels(runtime, { models })),
  knowledge: ferryKnowledge,
  redactor: createRedactor(),
  concurrency: 2,
  onProgress: () => pass("progress"),
  finish: async () => pass("finish"),
}).then(
  () => "",
  (error: unknown) => getErrorMessage(error),
);
process.send?.({ written: statSync(`${ingestFile({ stateDir })}-wal`).size });
console.log(outcome);
store.close();
await runtime.close();
process.exit(0);
