import { expect, test } from "vitest";
import { readCopilotEvent } from "../messages/session-events.ts";
import { CopilotStepReader } from "../messages/step-reader.ts";
import { copilotCost } from "./cost.ts";

const usage = { inputTokens: 1_000_000, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
const prices = { priced: { input: 2, output: 10 } };

test("with a login, the AI credits that GitHub counts are the cost, otherwise a price is; both are estimates", () => {
  const of = (model: string, credits?: number) => copilotCost(usage, [model], { credits, prices, isPlan: true });
  expect(of("priced", 300)).toEqual({ usd: 3, estimate: true });
  expect(of("priced")).toEqual({ usd: 2, estimate: true });
  expect(of("other", 300)).toEqual({ usd: 3, estimate: true });
  expect(of("other")).toBeUndefined();
});

test("with a key, the price is the cost, and credits do not count", () => {
  expect(copilotCost(usage, ["priced"], { credits: 300, prices, isPlan: false })).toEqual({ usd: 2, estimate: false });
});

test("the credits of a response come from the runtime's report, in billionths", () => {
  const credits: (number | undefined)[] = [];
  const reader = new CopilotStepReader("m", (_usage, _model, counted) => {
    credits.push(counted);
    return undefined;
  });
  for (const copilotUsage of [{ totalNanoAiu: 1_500_000_000, tokenDetails: [] }, undefined, { other: 1 }]) {
    const report = readCopilotEvent({ type: "assistant.usage", data: { inputTokens: 1, copilotUsage } });
    if (report) reader.read(report);
    const message = readCopilotEvent({ type: "assistant.message", data: { content: "Hello." } });
    if (message?.type === "assistant.message") reader.complete(message);
  }
  expect(credits).toEqual([1.5, undefined, undefined]);
});
