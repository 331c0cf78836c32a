/** Checks that a stopped run ends, whatever the state of its host. */
import { correctionStart, defineTool, StoppedError } from "@bridle/protocol";
import { expect, test } from "vitest";
import { z } from "zod";
import { listModels } from "../src/models/list-models.ts";
import { modelApiIds } from "../src/settings/options.ts";
import { startRawHost } from "./raw-host.ts";
import { ofType, rejectionOf, startScript, startSteps } from "./test-runtime.ts";

const look = defineTool({
  name: "look",
  description: "Looks.",
  input: z.object({ at: z.string() }),
  execute: async () => "fine",
});

test.each(modelApiIds)("a run on %s stops before the host has answered, and its connection is closed", async (id) => {
  const { runtime, rehearsal } = await startSteps(id, [{ say: "late", delay_ms: 60_000 }]);
  const run = runtime.runAgentLoop({ prompt: "go", tools: [], stepBudget: 1 });
  const request = await rehearsal.nextRequest();
  run.stop();
  expect(await run.result).toMatchObject({ stopReason: "stopped", steps: 0 });
  await expect.poll(() => request.closed).toBe(true);
});

test.each(modelApiIds)("a run on %s stops while the host is silent, and its connection is closed", async (id) => {
  const { runtime, rehearsal } = await startSteps(id, [{ say: "Let me", stall: true }]);
  const run = runtime.runAgentLoop({ prompt: "go", tools: [], stepBudget: 1 });
  for await (const { type } of run) if (type === "text.delta") break;
  run.stop();
  expect((await run.result).stopReason).toBe("stopped");
  await expect.poll(() => rehearsal.requests[0]?.closed).toBe(true);
});

test.each(modelApiIds)("a check on %s with an aborted signal is a StoppedError, and sends nothing", async (id) => {
  const { backend, rehearsal } = await startSteps(id, [{ say: "late" }], { probeModel: undefined });
  const gone = AbortSignal.abort();
  expect(await rejectionOf(backend.checkAuth(gone))).toBeInstanceOf(StoppedError);
  expect(rehearsal.requests).toEqual([]);
});

test("a list request stops with a StoppedError", async () => {
  const host = await startRawHost(() => {});
  const controller = new AbortController();
  const options = { id: "openai-compatible", baseUrl: `${host.url}/v1` } as const;
  const listing = rejectionOf(listModels(options, controller.signal));
  await expect.poll(() => host.requests.length).toBe(1);
  controller.abort();
  expect(await listing).toBeInstanceOf(StoppedError);
});

test("a run stops during the repair of a call, which is not executed", async () => {
  const { runtime, rehearsal, events } = await startScript("anthropic", {
    rehearsal: 1,
    turns: [
      { when: { user: correctionStart }, steps: [{ say: "late", delay_ms: 60_000 }] },
      { steps: [{ call: "look", with: { at: 7 } }, { say: "done" }] },
    ],
  });
  const run = runtime.runAgentLoop({ prompt: "go", tools: [look], stepBudget: 3 });
  await rehearsal.nextRequest(({ body }) => JSON.stringify(body).includes(correctionStart));
  run.stop();
  expect((await run.result).stopReason).toBe("stopped");
  expect(ofType(events, "tool.requested")).toEqual([]);
});

test("a usage window that is nearly used up emits a warning, and the run continues", async () => {
  const limit = { resets_in_seconds: 3600, status: "allowed_warning" as const, utilization: 0.9 };
  const { runtime, events } = await startSteps("anthropic", [{ say: "fine", limit }]);
  expect((await runtime.generateText({ prompt: "go" })).text).toBe("fine");
  expect(ofType(events, "limit.warned")).toMatchObject([
    { window: "five_hour", utilization: 0.9, resetsAt: expect.any(Number) },
  ]);
});
