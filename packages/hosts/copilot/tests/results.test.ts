import { createAgentRuntime } from "@bridle/core";
import { defineTool } from "@bridle/protocol";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { sentRequests } from "../../model-api/tests/sent-requests.ts";
import { startTestBackend } from "./support/test-backend.ts";

/** A tool that takes the number of milliseconds in its input. */
const wait = defineTool({
  name: "wait",
  description: "Waits.",
  input: z.object({ ms: z.number() }),
  annotations: { readOnly: true },
  execute: async ({ ms }) => {
    if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
    return `${ms} ms`;
  },
});

test("the model gets the results of concurrent calls in its own order, whichever ends first", async () => {
  const rounds = [
    [60, 30, 0],
    [0, 30, 0],
  ];
  const steps = [
    ...rounds.map((round) => ({ calls: round.map((ms) => ({ call: "wait", with: { ms } })) })),
    { say: "Done." },
  ];
  const { backend, rehearsal, close } = await startTestBackend({ rehearsal: 1, turns: [{ steps }] });
  const runtime = createAgentRuntime({ backend, models: { default: "gpt-6-sol" } });
  onTestFinished(async () => {
    await runtime.close();
    await close();
  });
  const run = runtime.runAgentLoop({ prompt: "go", tools: [wait], stepBudget: 30 });
  expect((await run.result).text).toBe("Done.");
  const parts =
    sentRequests(rehearsal.requests)
      .at(-1)
      ?.messages.flatMap(({ content }) => content) ?? [];
  const called = parts.flatMap((part) => (part.type === "tool-call" ? [part.callId] : []));
  expect(called).toHaveLength(6);
  expect(parts.flatMap((part) => (part.type === "tool-result" ? [part.callId] : []))).toEqual(called);
});
