import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAgentRuntime } from "@bridle/core";
import { defineTool, type RunEvent } from "@bridle/protocol";
import type { Rehearsal, ScriptInput } from "@bridle/rehearsal";
import { afterEach, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import type { CodexBackend } from "../src/backend.ts";
import { modelRequests, sentRequests } from "./support/codex-wire.ts";
import { startCodex } from "./support/test-backend.ts";
import { startCodexSession } from "./support/test-session.ts";
import { forgedCalls, plantTraps, trapVariables, trapWord } from "./support/traps.ts";

let project = "";
let home = "";
let proofs = "";
beforeEach(async () => {
  project = await mkdtemp(join(tmpdir(), "bridle-project-"));
  home = await mkdtemp(join(tmpdir(), "bridle-home-"));
  proofs = await mkdtemp(join(tmpdir(), "bridle-proof-"));
});
afterEach(async () => {
  for (const folder of [project, home, proofs]) await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

const look = defineTool({
  name: "look",
  description: "Looks.",
  input: z.object({ at: z.string() }),
  execute: async () => "seen",
});

interface Context {
  backend: CodexBackend;
  rehearsal: Rehearsal;
  close(): Promise<void>;
}

const models = ["gpt-5.5", "gpt-5.6-terra", "gpt-6-sol", "a-model-of-tomorrow"];

test.each(models)("among traps of every kind, %s gets only what was passed, with a key", async (model) => {
  const paid = await proveAmongTraps(model, (script) =>
    startCodex(script, { environment: { HOME: home, ...trapVariables } }),
  );
  expect(paid).toEqual(["Bearer sk-of-the-test"]);
});

test.each(models)("among traps of every kind, %s gets only what was passed, with a ChatGPT login", async (model) => {
  const [paid, ...others] = await proveAmongTraps(model, async (script) => {
    const session = await startCodexSession(script, { environment: trapVariables, home });
    return {
      ...session,
      async close() {
        const requests = session.rehearsal.requests.filter(({ method }) => method === "GET").map(({ path }) => path);
        expect(requests.every((path) => path.startsWith("/backend-api/wham/"))).toBe(true);
        expect(new Set(session.tlsProxy.hosts)).toEqual(new Set(["chatgpt.com"]));
        await session.close();
      },
    };
  });
  expect(paid).toMatch(/^Bearer eyJ/);
  expect(others).toEqual([]);
});

/** Runs a model that calls every tool of Codex by name, and returns the credentials that were sent. */
async function proveAmongTraps(model: string, start: (script: ScriptInput) => Promise<Context>) {
  const traps = await plantTraps({ home, project, proof: join(proofs, "ran") });
  const forged = forgedCalls(traps.proof);
  const steps = [{ calls: [...forged, { call: "look", with: { at: "it" } }] }, { say: "Done." }];
  const { backend, rehearsal, close } = await start({ rehearsal: 1, turns: [{ steps }] });
  const runtime = createAgentRuntime({ backend, models: { default: model } });
  const prompt = "$trap [$trap](skill://trap) @note.md @AGENTS.md /trap !touch trap";
  const run = runtime.runAgentLoop({
    prompt,
    system: "You are OURS.",
    tools: [look],
    stepBudget: 3,
    projectDir: project,
  });
  const events: RunEvent[] = [];
  for await (const event of run) events.push(event);
  expect(await run.result).toMatchObject({ stopReason: "natural", text: "Done.", steps: 2 });
  expectOnlyPassed(rehearsal, prompt);
  expect(events.filter(({ type }) => type === "tool.denied")).toHaveLength(forged.length);
  expect(events.filter(({ type }) => type === "tool.started")).toHaveLength(1);
  const requests = modelRequests(rehearsal.requests);
  await runtime.close();
  await close();
  expect(await traps.hasRun()).toBe(false);
  return [...new Set(requests.map(({ headers }) => headers.authorization))];
}

function expectOnlyPassed({ requests }: Rehearsal, prompt: string): void {
  const [first, ...more] = sentRequests(requests);
  expect(first).toMatchObject({ system: "You are OURS.", texts: [prompt] });
  for (const request of [first, ...more]) expect(request?.tools.map(({ name }) => name)).toEqual(["look"]);
  const sent = JSON.stringify(requests);
  for (const word of [trapWord, "trap-of", "trap-org", "trap-project", "trap-originator", home, project])
    expect(sent).not.toContain(word);
  expect(JSON.stringify(modelRequests(requests).map(({ body }) => body))).not.toContain("rehearsal@example.com");
}
