import type { AnyTool, TurnContext } from "@bridle/protocol";
import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import {
  begin,
  createTestBackend,
  createTestTool,
  expectLaws,
  forever,
  natural,
  someUsage,
} from "../runtime/runs-for-tests.ts";

/** The input of a call selects the behaviour of the tool. */
const behaviour = fc.constantFrom("ok", "throw", "slow", "hang", "odd");
const plannedCall = fc.record({
  tool: fc.constantFrom("reader", "writer", "unknown"),
  input: fc.oneof(
    { weight: 4, arbitrary: fc.record({ behaviour }) },
    fc.constantFrom({ behaviour: 5 }, null, "text", []),
  ),
});
const plannedStep = fc.record({ calls: fc.array(plannedCall, { maxLength: 4 }), waits: fc.boolean() });
const plan = fc.record({
  steps: fc.array(plannedStep, { maxLength: 5 }),
  stepBudget: fc.integer({ min: 1, max: 4 }),
  maxTotalTokens: fc.option(fc.integer({ min: 1, max: 12 }), { nil: undefined }),
  stopAfterMs: fc.option(fc.nat(12), { nil: undefined }),
  deny: fc.boolean(),
  fails: fc.boolean(),
});

test("for all behaviour of a model, its tools and its caller, every law of a run holds", {
  timeout: 60_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(plan, async ({ steps, stepBudget, maxTotalTokens, stopAfterMs, deny, fails }) => {
      const turn = async (host: TurnContext) => {
        for (const [index, { calls, waits }] of steps.entries()) await playStep(host, index, calls, waits);
        if (fails) throw new Error("lost");
        return natural;
      };
      const policy = {
        id: "p",
        evaluate: ({ tool }: { tool: string }) =>
          ({ decision: deny && tool === "writer" ? "deny" : "allow", rule: "random" }) as const,
      };
      const request = { tools: tools(), stepBudget, ...(maxTotalTokens === undefined ? {} : { maxTotalTokens }) };
      const run = begin(createTestBackend(turn), request, { policy });
      if (stopAfterMs !== undefined) setTimeout(() => run.stop(), stopAfterMs);
      const { events, result } = await expectLaws(run);
      const finished = events.filter(({ type }) => type === "step.finished").length;
      expect(finished).toBeLessThanOrEqual(stepBudget);
      expect(result.steps).toBeLessThanOrEqual(stepBudget);
      expect(result.usage.outputTokens).toBe(finished * someUsage.outputTokens);
      expect(result.toolCalls).toBe(events.filter(({ type }) => type === "tool.requested").length);
      expect(result.toolFailures).toBe(
        events.filter((event) => event.type === "tool.denied" || (event.type === "tool.finished" && !event.ok)).length,
      );
      if (maxTotalTokens !== undefined) expect(finished).toBeLessThanOrEqual(Math.ceil(maxTotalTokens / 3));
    }),
    { numRuns: 150 * Number(process.env.SOAK_FACTOR ?? 1) },
  );
});

interface PlannedCall {
  tool: string;
  input: unknown;
}

async function playStep(
  host: TurnContext,
  index: number,
  calls: readonly PlannedCall[],
  waits: boolean,
): Promise<void> {
  host.emit({ type: "step.started", model: "m" });
  host.emit({ type: "text.delta", text: "x" });
  host.emit({ type: "step.finished", usage: someUsage });
  const replies = calls.map((call, order) => host.callTool({ ...call, callId: `${index}-${order}` }));
  if (waits) await Promise.all(replies);
}

function tools(): AnyTool[] {
  const input = z.object({ behaviour: z.string() });
  return [
    createTestTool("reader", behave, { input, timeoutMs: 15, annotations: { readOnly: true } }),
    createTestTool("writer", behave, { input, timeoutMs: 15 }),
  ];
}

async function behave(input: Record<string, unknown>): Promise<string> {
  switch (input.behaviour) {
    case "throw":
      throw new Error("tool broke");
    case "slow":
      await new Promise((resolve) => setTimeout(resolve, 3));
      return "slow";
    case "hang":
      return forever;
    case "odd":
      return JSON.parse("5");
    default:
      return "ok";
  }
}
