import { createAgentRuntime } from "@bridle/core";
import { defineTool, type RunEvent } from "@bridle/protocol";
import type { ScriptInput } from "@bridle/rehearsal";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { modelRequests } from "./support/codex-wire.ts";
import { startCodexSession } from "./support/test-session.ts";

type Steps = ScriptInput["turns"][number]["steps"];

const look = defineTool({
  name: "look",
  description: "Looks.",
  input: z.object({}),
  annotations: { readOnly: true },
  execute: async () => "seen",
});

/** Runs once on a ChatGPT login. Returns the events about limits, and the result. */
async function runWith(steps: Steps) {
  const { backend, rehearsal, close } = await startCodexSession({ rehearsal: 1, turns: [{ steps }] });
  const runtime = createAgentRuntime({ backend, models: { default: "gpt-6-sol" } });
  onTestFinished(async () => {
    await runtime.close();
    await close();
  });
  const run = runtime.runAgentLoop({ prompt: "Hello?", tools: [look], stepBudget: 5 });
  const events: RunEvent[] = [];
  for await (const event of run) if (event.type.startsWith("limit.")) events.push(event);
  return { events, result: await run.result, requests: modelRequests(rehearsal.requests) };
}

test("a window that is nearly used up is one limit.warned event, although every response reports it", async () => {
  const limit = { status: "allowed_warning" as const, resets_in_seconds: 3600, utilization: 0.92 };
  const weekly = { "x-codex-secondary-used-percent": "30", "x-codex-secondary-window-minutes": "10080" };
  const { events, result, requests } = await runWith([
    { call: "look", with: {}, limit, headers: weekly },
    { say: "Done.", limit, headers: weekly },
  ]);
  expect(result).toMatchObject({ stopReason: "natural", text: "Done." });
  expect(requests).toHaveLength(2);
  expect(events).toMatchObject([{ type: "limit.warned", window: "five_hour", utilization: 0.92 }]);
  const [warned] = events;
  const resetsAt = warned?.type === "limit.warned" ? (warned.resetsAt ?? 0) : 0;
  expect(Math.abs(resetsAt - Date.now() - 3_600_000)).toBeLessThan(60_000);
});

test("a used-up window is a limit.reached event, and a UsageLimitError with the time when it opens again", async () => {
  const limit = { resets_in_seconds: 3600, window: "seven_day" };
  const { events, result, requests } = await runWith([{ limit, forever: true }]);
  expect(requests).toHaveLength(1);
  expect(events).toMatchObject([{ type: "limit.reached", window: "seven_day", resetsAt: expect.any(Number) }]);
  expect(result.error).toMatchObject({ code: "usage_limit", window: "seven_day", resetsAt: expect.any(Date) });
});

test("too many requests are a RateLimitError, although the account's windows are known", async () => {
  const limit = { status: "allowed" as const, resets_in_seconds: 3600, utilization: 0.2 };
  const { events, result } = await runWith([{ status: 429, limit, forever: true }]);
  expect(result.error).toMatchObject({ code: "rate_limit" });
  expect(events).toEqual([]);
});
