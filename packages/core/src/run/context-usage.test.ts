import { type EventDraft, noUsage, textMessage } from "@bridle/protocol";
import { describe, expect, test } from "vitest";
import { checkCompactAt, measureContext, modelKey, nothingMeasured, projectContextUsage } from "./context-usage.ts";

const started = (model = "m"): EventDraft => ({
  type: "run.started",
  operation: "loop",
  backend: "b",
  model,
  tools: [],
  builtins: [],
  stepBudget: 1,
  policy: "p",
});
const step: EventDraft = {
  type: "step.finished",
  index: 1,
  budget: 1,
  usage: { ...noUsage, inputTokens: 500, cacheReadTokens: 200, cacheWriteTokens: 50, outputTokens: 50 },
};
const told: EventDraft = { type: "usage.reported", usage: noUsage, contextWindow: 1000 };
const found: EventDraft = { type: "tool.finished", callId: "1", ok: true, durationMs: 1, output: "x".repeat(400) };
const edited: EventDraft = { type: "history.replaced", reason: "edited", messages: [] };

function contextUsage(drafts: readonly EventDraft[], prompt = "", { model = "m", compactAt = 0.85 } = {}) {
  const place = { seq: 1, time: 0, runId: "r" };
  const meter = drafts.reduce((known, draft) => measureContext(known, { ...draft, ...place }), nothingMeasured);
  return projectContextUsage(meter, { asked: modelKey("b", model), prompt: [textMessage(prompt)], compactAt });
}

describe("the context usage", () => {
  test("is the size of the newest prompt and answer, plus later results and the new prompt", () => {
    expect(contextUsage([started(), step, told], "x".repeat(200))).toBeUndefined();
    expect(contextUsage([started(), step, told], "x".repeat(204))).toEqual({
      tokens: 851,
      contextWindow: 1000,
      compactAt: 0.85,
    });
    expect(contextUsage([started(), step, found, told])).toMatchObject({ tokens: 900 });
    expect(contextUsage([started(), found, step, told])).toBeUndefined();
    expect(contextUsage([started(), step, told], "", { compactAt: 0.5 })).toMatchObject({ tokens: 800 });
  });

  test.each([
    ["the size of the window was not reported", [started(), step, found]],
    ["no tokens were counted", [started(), told]],
    ["the history was replaced", [started(), step, told, edited, found]],
    ["the newest run used another model", [started(), step, told, started("n"), step, found]],
  ])("is unknown if %s", (_what, drafts) => {
    expect(contextUsage(drafts, "x".repeat(4000))).toBeUndefined();
  });

  test("of one model does not apply to another", () => {
    expect(contextUsage([started(), step, found, told], "", { model: "n" })).toBeUndefined();
  });

  test("is known again when a run continues with the same model", () => {
    expect(contextUsage([started(), step, told, started(), found])).toMatchObject({ tokens: 900 });
  });

  test.each([0, -1, 1.1, Number.NaN])("cannot have the threshold %d", (share) => {
    expect(() => checkCompactAt(share)).toThrow(`compactAt is ${share}`);
  });
});
