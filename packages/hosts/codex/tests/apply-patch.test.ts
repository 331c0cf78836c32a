/** Codex's own tool `apply_patch`, opened by name: every patch passes the rules before it is applied. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAgentRuntime, createPolicy } from "@bridle/core";
import type { RunEvent } from "@bridle/protocol";
import type { ScriptInput } from "@bridle/rehearsal";
import { afterEach, beforeEach, expect, test } from "vitest";
import { modelRequests } from "./support/codex-wire.ts";
import { startCodex } from "./support/test-backend.ts";

let project = "";
beforeEach(async () => {
  project = await mkdtemp(join(tmpdir(), "bridle-patch-"));
});
afterEach(() => rm(project, { recursive: true, force: true }));

const patch = (body: string) => ({ call: "apply_patch", with_text: `*** Begin Patch\n${body}\n*** End Patch` });

test("a patch is applied", async () => {
  const script: ScriptInput = { rehearsal: 1, turns: [{ steps: [patch("*** Add File: src/a.txt\n+hello"), { say: "Done." }] }] };
  const { backend, rehearsal, close } = await startCodex(script);
  const runtime = createAgentRuntime({ backend, models: { default: "gpt-6-sol" } });
  const run = runtime.runAgentLoop({ prompt: "go", builtins: ["apply_patch"], tools: [], stepBudget: 3, projectDir: project });
  const events: RunEvent[] = [];
  for await (const event of run) events.push(event);
  console.log(await run.result, events.filter((e) => e.type.startsWith("tool.")));
  console.log(JSON.stringify(modelRequests(rehearsal.requests).at(-1)?.body).slice(-900));
  await runtime.close();
  await close();
});

test("denied", async () => {
  const script: ScriptInput = { rehearsal: 1, turns: [{ steps: [patch("*** Add File: src/a.txt\n+hello"), { say: "Done." }] }] };
  const { backend, rehearsal, close } = await startCodex(script);
  const runtime = createAgentRuntime({ backend, models: { default: "gpt-6-sol" }, policy: createPolicy({ mode: "read-only" }) });
  const run = runtime.runAgentLoop({ prompt: "go", builtins: ["apply_patch"], tools: [], stepBudget: 3, projectDir: project });
  const events: RunEvent[] = [];
  for await (const event of run) events.push(event);
  console.log(await run.result, events.filter((e) => e.type.startsWith("tool.")));
  console.log(JSON.stringify(modelRequests(rehearsal.requests).at(-1)?.body).slice(-900));
  await runtime.close();
  await close();
});
