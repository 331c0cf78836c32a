/** Tests the cost of runs that end before Claude Code reports its own figure. */
import { defineTool } from "@bridle/protocol";
import { expect, test } from "vitest";
import { z } from "zod";
import { loop, startScript } from "./support/runs.ts";

const usage = { input: 10_000, output: 1000 };
const listed = 0.02 + 0.01; // Sonnet 5.5: 2 and 10 dollars a million tokens
const look = { call: "look", usage };

test("a step has the list price of its response, and the host's own figure for the whole turn is the same", async () => {
  const { runtime } = await startScript([look, { say: "Done", usage }]);
  const { events, result } = await loop(runtime);
  const steps = events.filter((event) => event.type === "step.finished");
  expect(steps.map(({ cost }) => cost?.usd)).toEqual([expect.closeTo(listed, 6), expect.closeTo(listed, 6)]);
  expect(result.cost).toEqual({ usd: expect.closeTo(2 * listed, 6), estimate: steps[0]?.cost?.estimate });
});

test("a run that is stopped between two responses has the list price of the complete one", async () => {
  const { runtime } = await startScript([look, { say: "Done", usage }]);
  const stop = new AbortController();
  const never = defineTool({
    name: "look",
    description: "Looks.",
    input: z.object({}),
    execute: () => {
      stop.abort();
      return new Promise<string>(() => {});
    },
  });
  const { result } = await loop(runtime, { tools: [never], signal: stop.signal });
  expect(result).toMatchObject({ stopReason: "stopped", usage: { inputTokens: 10_000, outputTokens: 1000 } });
  expect(result.cost?.usd).toBeCloseTo(listed, 6);
  expect(result.cost?.partial).toBeUndefined();
});

test("a run that ends on its token limit has the list price of its responses", async () => {
  const { runtime } = await startScript([look, { say: "Done", usage }]);
  const { result } = await loop(runtime, { maxTotalTokens: 1 });
  expect(result).toMatchObject({ stopReason: "budget", steps: 1 });
  expect(result.cost?.usd).toBeCloseTo(listed, 6);
  expect(result.cost?.partial).toBeUndefined();
});

test("a run whose first answer breaks off counts both requests, and its cost is a part", async () => {
  const { runtime } = await startScript([
    { say: "Half an", cut: true, chunk_ms: 40, usage },
    { say: "Done", usage },
  ]);
  const { result } = await loop(runtime);
  expect(result).toMatchObject({ stopReason: "natural", text: "Done", usage: { inputTokens: 20_000 } });
  expect(result.cost?.partial).toBe(true);
  expect(result.cost?.usd).toBeGreaterThan(listed + 0.019);
});
