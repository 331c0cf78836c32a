/** Tests an agent without a login and without cost: real Claude Code, real tools, and a model that follows a script. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { type AgentRuntime, createRuntime } from "bridle";
import tools from "../ask-orders/tools.ts";

let runtime: AgentRuntime;
before(async () => {
  runtime = await createRuntime({ rehearse: join(import.meta.dirname, "rehearsal.yaml") });
});
after(() => runtime.close());

test("the state of an order comes from the database", async () => {
  const { text, stopReason } = await runtime.runAgentLoop({ prompt: "Where is A-1002?", tools, stepBudget: 5 }).result;
  assert.equal(text, "It is packed.");
  assert.equal(stopReason, "natural");
});

test("a tool that was not passed to the runtime is refused, and the run continues", async () => {
  const result = await runtime.runAgentLoop({ prompt: "Delete everything", tools, stepBudget: 5 }).result;
  assert.equal(result.toolFailures, 1);
  assert.equal(result.text, "I cannot do that.");
});
