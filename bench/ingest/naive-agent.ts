/** Gives the same documents and model to ingest, and to an agent that reads one document after the other and writes notes. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { createAgentRuntime, createRedactor } from "@bridle/core";
import { createModelApiBackend } from "@bridle/model-api";
import { defineTool } from "@bridle/protocol";
import { type RehearsedModel, startRehearsal } from "@bridle/rehearsal";
import { z } from "zod";
import { createRuntimeModels } from "../../packages/ingest/src/models/runtime-models.ts";
import { writeKnowledge } from "../../packages/ingest/src/runs/changes/write-knowledge.ts";
import { ingest } from "../../packages/ingest/src/runs/ingest.ts";
import { openIngestStore } from "../../packages/ingest/src/store/ingest-store.ts";
import { sourceOf } from "../../packages/ingest/tests/support/corpus/corpus.ts";
import { manyItems } from "../../packages/ingest/tests/support/corpus/many-items.ts";
import { ferryKnowledge } from "../../packages/ingest/tests/support/ferry-knowledge.ts";
import { CorpusModel } from "../../packages/ingest/tests/support/models/corpus-model.ts";
import { manyFacts } from "../../packages/ingest/tests/support/models/known-facts.ts";
import { differentStatements } from "./different-statements.ts";

interface Measured {
  readonly name: string;
  readonly facts: number;
  readonly calls: number;
  readonly inputTokens: number;
  readonly maxCallTokens: number;
  readonly seconds: number;
}

const models = { default: "claude-sonnet-5-5" };

/** Prints calls, tokens and seconds per 100 documents. Tokens are estimated from the size of the requests, at four bytes a token. */
export async function benchNaiveAgent(counts: readonly number[]): Promise<void> {
  console.log("\ndocuments                     facts     calls/100    tokens/100  longest call   seconds/100");
  for (const count of counts) {
    const ingestTwice = await measureIngest(count);
    for (const each of [await measureNaive(count), ...ingestTwice]) print(count, each);
  }
}

function print(count: number, { name, facts, calls, inputTokens, maxCallTokens, seconds }: Measured): void {
  const per = (value: number, digits = 0) => ((value / count) * 100).toFixed(digits);
  const cells = [String(facts), per(calls, 1), per(inputTokens), String(maxCallTokens), per(seconds, 2)];
  console.log(
    `${String(count).padEnd(10)}${name.padEnd(18)}${cells
      .map((cell) => cell.padStart(14))
      .join("")
      .slice(6)}`,
  );
}

/** Ingests the documents twice: new, and unchanged. */
async function measureIngest(count: number): Promise<readonly Measured[]> {
  const projectDir = mkdtempSync(join(tmpdir(), "bridle-bench-ingest-"));
  const stateDir = join(projectDir, ".bridle");
  const store = openIngestStore({ stateDir });
  const run = (name: string) =>
    measure(name, differentStatements(new CorpusModel(manyFacts)), async (runtime) => {
      const { result } = await ingest({
        sources: [sourceOf(manyItems(count))],
        store,
        models: createRuntimeModels(runtime, { models }),
        knowledge: ferryKnowledge,
        redactor: createRedactor(),
        finish: (checked, reading) =>
          writeKnowledge(checked, reading, { projectDir, stateDir, mode: "apply", reason: "ingest: bench" }),
      });
      return result?.changeSet.claims.length ?? 0;
    });
  try {
    return [await run("ingest"), await run("ingest again")];
  } finally {
    store.close();
    rmSync(projectDir, { recursive: true, force: true });
  }
}

async function measureNaive(count: number): Promise<Measured> {
  const items = [...manyItems(count)];
  const written = new Set<string>();
  const readPage = defineTool({
    name: "read_page",
    description: "Read a page.",
    input: z.object({ number: z.number() }),
    execute: async ({ number }) => items[number]?.text ?? "",
  });
  const writeFact = defineTool({
    name: "write_fact",
    description: "Write down a fact.",
    input: z.object({ statement: z.string() }),
    execute: async ({ statement }) => {
      written.add(statement);
      return "written";
    },
  });
  return measure("one agent", readOneByOne(count), async (runtime) => {
    const run = runtime.runAgentLoop({
      system: "Read each page, and write down its facts.",
      prompt: `There are ${count} pages, from 0.`,
      tools: [readPage, writeFact],
      stepBudget: count * 2 + 5,
    });
    await run.result;
    return written.size;
  });
}

/** Scripts a step that writes the facts of the last page and reads the next one. */
function readOneByOne(count: number): RehearsedModel {
  return ({ step, results }) => {
    const facts = results.flatMap(({ text }) => manyFacts(text));
    const writes = facts.map(({ text }) => ({ call: "write_fact", with: { statement: text } }));
    const reads = step <= count ? [{ call: "read_page", with: { number: step - 1 } }] : [];
    const calls = [...writes, ...reads];
    return calls.length === 0 ? { say: "Done." } : { calls };
  };
}

async function measure(
  name: string,
  model: RehearsedModel,
  work: (runtime: ReturnType<typeof createAgentRuntime>) => Promise<number>,
): Promise<Measured> {
  const rehearsal = await startRehearsal({ model });
  const backend = createModelApiBackend({ id: "anthropic", apiKey: "key-of-bench", baseUrl: rehearsal.url });
  const runtime = createAgentRuntime({ backend, models, limits: { maxConcurrency: 8 } });
  const start = performance.now();
  try {
    const facts = await work(runtime);
    const seconds = (performance.now() - start) / 1000;
    if (rehearsal.failures[0] !== undefined) throw new Error(rehearsal.failures[0].message);
    const tokens = rehearsal.requests.map(({ body }) => Math.ceil(JSON.stringify(body).length / 4));
    const inputTokens = tokens.reduce((sum, each) => sum + each, 0);
    return { name, facts, calls: tokens.length, inputTokens, maxCallTokens: Math.max(0, ...tokens), seconds };
  } finally {
    await runtime.close();
    await backend.close();
    await rehearsal.close();
  }
}
