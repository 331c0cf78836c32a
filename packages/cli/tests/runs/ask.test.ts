/** Tests `bridle ask` on several hosts: the same calls, the same answer, the same statements. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { createPlace, type Place } from "../support/command.ts";

const bin = join(import.meta.dirname, "../../../bridle/bin/bridle.js");
const script = join(import.meta.dirname, "../../../bridle/demo/context/rehearsal.yaml");
const question = "How much did we earn in 2025 after refunds?";

let place: Place;
let project: string;
beforeAll(async () => {
  place = await createPlace();
  project = join(place.project, "roaster");
  await bridle("context", "demo", "--output", "roaster");
  await bridle("context", "scan", "--project-dir", project, "--trust");
});
afterAll(() => place.remove());

async function bridle(...words: string[]) {
  const { stdout } = await promisify(execFile)(process.execPath, [bin, ...words], {
    cwd: place.project,
    env: { ...place.environment, OPENAI_API_KEY: "sk-rehearsed", ANTHROPIC_API_KEY: "sk-ant-rehearsed" },
  });
  return stdout;
}

const answered = z.object({
  answer: z.string(),
  queries: z.array(z.unknown()),
  run: z.object({ toolCalls: z.number() }),
});

async function ask(backend: string, ...words: string[]) {
  const model = backend === "claude-code" ? [] : ["--model", "any"];
  const flags = ["--backend", backend, ...model, "--rehearse", script, "--project-dir", project, "--trust", "--json"];
  return answered.parse(JSON.parse(await bridle("ask", ...flags, ...words, question)));
}

test("a question gets the same calls, answer and statements on Claude Code and on model APIs", async () => {
  const onClaudeCode = await ask("claude-code");
  expect(onClaudeCode.answer).toContain("After refunds, 2025 brought 369,238.40 EUR");
  expect(onClaudeCode.queries).toEqual([
    {
      connection: "roaster",
      sql: expect.stringMatching(/^WITH sold AS/),
      ok: true,
      rows: 1,
      tables: ["roaster.main.orders", "roaster.main.order_lines", "roaster.main.refunds"],
    },
  ]);
  expect(onClaudeCode.run.toolCalls).toBe(3);
  for (const backend of ["anthropic", "openai-compatible"]) {
    const { answer, queries, run } = await ask(backend);
    expect({ backend, answer, queries, calls: run.toolCalls }).toEqual({
      backend,
      answer: onClaudeCode.answer,
      queries: onClaudeCode.queries,
      calls: 3,
    });
  }
});
