/** Tests that a runtime's approver and permissions also apply to a run with its own rules, even if the runtime has no rules. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMemoryPermissions, createPolicy } from "@bridle/core";
import { type Approver, defineTool, type RememberedAnswer } from "@bridle/protocol";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { type CreateRuntimeOptions, createRuntime } from "../src/index.ts";

const policy = createPolicy({ rules: [{ tool: "pay", then: "ask" }] });
const pay = defineTool({ name: "pay", description: "Pays.", input: z.object({}), execute: async () => "paid" });
const steps = [{ call: "pay", with: {} }, { say: "Done." }];

async function runWith(options: CreateRuntimeOptions, approve: Approver) {
  const projectDir = mkdtempSync(join(tmpdir(), "bridle-rules-"));
  onTestFinished(() => rmSync(projectDir, { recursive: true, force: true, maxRetries: 5 }));
  const environment = { PATH: process.env.PATH, HOME: projectDir, TMPDIR: tmpdir() };
  const config = { llm: { provider: { backend: "anthropic" } } } as const;
  const rehearse = { rehearsal: 1 as const, turns: [{ steps }] };
  const runtime = await createRuntime({ projectDir, environment, config, rehearse, ...options });
  onTestFinished(() => runtime.close());
  return runtime.runAgentLoop({ prompt: "Pay", tools: [pay], policy, approve }).result;
}

test("a remembered denial applies to a run with its own rules", async () => {
  const denial: RememberedAnswer = {
    tool: "pay",
    decision: "deny",
    scope: "project",
    by: "Ann",
    at: "2026-01-01T00:00:00.000Z",
  };
  const permissions = createMemoryPermissions([denial]);
  const { toolFailures } = await runWith({ permissions }, async () => ({ decision: "allow" }));
  expect(toolFailures).toBe(1);
});

test("an answer for all projects that a run's own approver gives is stored", async () => {
  const permissions = createMemoryPermissions();
  await runWith({ permissions }, async () => ({ decision: "allow", scope: "always" }));
  expect(await permissions.read()).toMatchObject([{ tool: "pay", decision: "allow", scope: "always" }]);
});

test("the time limit for answers applies to the questions of a run with its own rules", async () => {
  const { toolFailures } = await runWith({ approvalTimeoutMs: 20 }, () => new Promise(() => {}));
  expect(toolFailures).toBe(1);
}, 20_000);
