import { expect, test } from "vitest";
import { metricsOf, turnsOf } from "./case-turns.ts";
import type { MetricConfig } from "./metrics.ts";

const ofAgent: MetricConfig[] = [{ type: "standard", metric: "bleu" }];
const ofCase: MetricConfig[] = [{ type: "standard", metric: "f1" }];
const ofTurn: MetricConfig[] = [{ type: "standard", metric: "meteor" }];
const config = { evaluations: { metrics: ofAgent } };

test("the nearest list of metrics replaces the others", () => {
  const turn = { input: "a" };
  expect(metricsOf(config, turn, turn)).toEqual(ofAgent);
  expect(metricsOf(config, { turns: [turn], evaluations: ofCase }, turn)).toEqual(ofCase);
  expect(metricsOf(config, { turns: [turn], evaluations: ofCase }, { ...turn, evaluations: ofTurn })).toEqual(ofTurn);
  expect(metricsOf({}, turn, turn)).toEqual([]);
});

test("a case with one input is its own turn, with all its expectations", () => {
  const asked = { input: "a", expected_tools: ["b"], ground_truth: "c", retrieval_context: ["d"], files: [] };
  expect(turnsOf({ name: "first", ...asked })).toEqual([asked]);
  expect(turnsOf({ name: "first", turns: [{ input: "a" }, { input: "b" }] })).toEqual([{ input: "a" }, { input: "b" }]);
});
