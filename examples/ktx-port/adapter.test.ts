/** The port on two hosts: an API of a model, and the real Claude Code. A script answers in place of the model. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, afterEach, before, describe, test } from "node:test";
import { type AgentRuntime, createRuntime, type EventOf } from "bridle";
import { z } from "zod";
import { BridleLlmRuntime } from "./adapter.ts";
import type { CallMetrics, LoopParams, ToolSet } from "./port.ts";

const rehearse = join(import.meta.dirname, "rehearsal.yaml");
const rows: Record<string, number> = { orders: 7, customers: 3 };
const count_rows = {
  name: "count_rows",
  description: "The number of rows of a table.",
  inputSchema: z.object({ table: z.string() }),
  execute: async (input: unknown) => {
    const { table } = z.object({ table: z.string() }).parse(input);
    return { markdown: `${table}: ${rows[table]}`, structured: rows[table] };
  },
};
const loop: LoopParams = {
  modelRole: "curator",
  systemPrompt: "You describe data.",
  userPrompt: "count rows",
  toolSet: { count_rows },
  stepBudget: 4,
  telemetryTags: { operation: "ingest" },
};

for (const backend of ["anthropic", "claude-code"] as const) {
  describe(`the port of KTX on ${backend}`, () => {
    const metrics: CallMetrics[] = [];
    const starts: EventOf<"run.started">[] = [];
    const denied = new Set<string>();
    let runtime: AgentRuntime;
    let port: BridleLlmRuntime;
    before(async () => {
      runtime = await createRuntime({
        backend,
        rehearse,
        models: { default: "sonnet", triage: "haiku" },
        onEvent: (event) => event.type === "run.started" && starts.push(event),
        policy: { id: "ask", evaluate: () => ({ decision: "ask", rule: "each" }) },
        approve: ({ tool }) => ({ decision: denied.has(tool) ? "deny" : "allow" }),
      });
      port = new BridleLlmRuntime(runtime);
    });
    after(() => runtime.close());
    afterEach(() => {
      denied.clear();
      for (const list of [metrics, starts]) list.length = 0;
    });
    const onMetrics = (each: CallMetrics) => metrics.push(each);

    test("a text comes from the model of the role, with the tokens that it used", async () => {
      assert.equal(await port.generateText({ role: "triage", prompt: "describe it", onMetrics }), "Orders of a shop.");
      assert.equal(starts[0]?.model, "haiku");
      assert.deepEqual(metrics[0]?.usage, { inputTokens: 100, outputTokens: 6, totalTokens: 106 });
    });

    test("an object is typed and fits its schema", async () => {
      const schema = z.object({ from: z.string(), to: z.string() });
      const join = await port.generateObject({ role: "default", prompt: "find joins", schema });
      assert.equal(`${join.from} to ${join.to}`, "orders to customers");
    });

    test("a loop calls the tools, reports each step and ends naturally", async () => {
      const steps: string[] = [];
      const onStepFinish: LoopParams["onStepFinish"] = (step) =>
        void steps.push(`${step.stepIndex}/${step.stepBudget}`);
      const result = await port.runAgentLoop({ ...loop, onStepFinish });
      assert.deepEqual([result.stopReason, result.error, steps], ["natural", undefined, ["1/4", "2/4"]]);
      assert.deepEqual([result.metrics.stepCount, result.metrics.stepBoundariesMs.length], [2, 2]);
      assert.deepEqual(starts[0]?.labels, { operation: "ingest" });
    });

    test("a loop that does not end stops at its budget", async () => {
      const { stopReason, metrics } = await port.runAgentLoop({ ...loop, userPrompt: "go on forever", stepBudget: 3 });
      assert.deepEqual([stopReason, metrics.stepCount], ["budget", 3]);
    });

    test("a call that a person denies does not run, and the loop continues", async () => {
      denied.add("count_rows");
      let calls = 0;
      const toolSet: ToolSet = { count_rows: { ...count_rows, execute: async () => ({ markdown: `${++calls}` }) } };
      assert.equal((await port.runAgentLoop({ ...loop, toolSet })).stopReason, "natural");
      assert.equal(calls, 0);
    });

    test("an abort during a call rejects with an AbortError", async () => {
      const controller = new AbortController();
      const execute = async () => {
        controller.abort();
        return { markdown: "too late" };
      };
      const toolSet: ToolSet = { count_rows: { ...count_rows, execute } };
      const aborted = port.runAgentLoop({ ...loop, toolSet, abortSignal: controller.signal });
      await assert.rejects(aborted, { name: "AbortError" });
      const late = port.generateText({ role: "default", prompt: "describe it", abortSignal: controller.signal });
      await assert.rejects(late, { name: "AbortError" });
    });

    test("a failure rejects a text with its metrics, and is the error of a loop", async () => {
      const failed = port.generateText({ role: "default", prompt: "refused", onMetrics });
      await assert.rejects(failed, { code: "invalid_request" });
      assert.equal(metrics.length, 1);
      const { stopReason, error } = await port.runAgentLoop({ ...loop, userPrompt: "refused" });
      assert.equal(stopReason, "error");
      assert.match(error?.message ?? "", /not acceptable/);
    });

    test("a loop that is not valid is an error, and nothing runs", async () => {
      const { stopReason, error } = await port.runAgentLoop({ ...loop, stepBudget: 0 });
      assert.deepEqual([stopReason, starts], ["error", []]);
      assert.match(error?.message ?? "", /stepBudget is 0/);
    });
  });
}
