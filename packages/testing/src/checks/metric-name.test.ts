import { expect, test } from "vitest";
import type { MetricConfig } from "./case-config.ts";
import { metricName, uniqueNames } from "./metric-name.ts";
import type { StandardConfig } from "./standard-config.ts";

const standard = (settings: Omit<StandardConfig, "type">): MetricConfig => ({ type: "standard", ...settings });

const rows: readonly [config: MetricConfig, name: string][] = [
  [standard({ metric: "rouge" }), "rougeL"],
  [standard({ metric: "rougeL", stemming: true }), "rougeL (stemming)"],
  [standard({ metric: "contains", value: "shipped" }), 'contains "shipped"'],
  [standard({ metric: "contains", value: ["a", "b"] }), 'contains ["a", "b"]'],
  [standard({ metric: "contains", value: "x".repeat(60) }), `contains "${"x".repeat(39)}…`],
  [standard({ metric: "regex", value: "^A-\\d+" }), "regex /^A-\\d+/"],
  [standard({ metric: "equality" }), "equality"],
  [standard({ metric: "equality", value: { a: null } }), "equality { a: null }"],
  [standard({ metric: "numeric", value: 5, tolerance: 0.5 }), "numeric 5 ± 0.5"],
  [standard({ metric: "response_path", path: "order.id", value: "A-1" }), 'response_path order.id = "A-1"'],
  [standard({ metric: "response_path", path: "order.id" }), "response_path order.id"],
  [standard({ metric: "json_schema", schema: "order.json" }), "json_schema (order.json)"],
  [{ type: "rag", metric_type: "faithfulness" }, "faithfulness"],
  [{ type: "geval", name: "Kind", criteria: "It is kind." }, "Kind"],
];

test.each(rows)("%j is called %s", (config, name) => {
  expect(metricName(config)).toBe(name);
});

test("names that meet are told apart by thresholds that differ, else by a number", () => {
  const bleu = { name: "bleu" };
  expect(uniqueNames([bleu, { name: "f1" }, bleu, bleu])).toEqual(["bleu", "f1", "bleu #2", "bleu #3"]);
  expect(
    uniqueNames([
      { ...bleu, threshold: 0.3 },
      { ...bleu, threshold: 0.6 },
    ]),
  ).toEqual(["bleu (0.3)", "bleu (0.6)"]);
  expect(uniqueNames([bleu, { ...bleu, threshold: 0.6 }])).toEqual(["bleu", "bleu (0.6)"]);
  expect(uniqueNames([{ name: "bleu #2" }, bleu, bleu])).toEqual(["bleu #2", "bleu", "bleu #3"]);
});
