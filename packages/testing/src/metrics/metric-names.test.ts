import type { MetricConfig } from "@bridle/agent";
import { createRedactor } from "@bridle/core";
import { TrustedFolder } from "@bridle/protocol";
import { expect, test } from "vitest";
import { MetricPlanner } from "./metric-planner.ts";
import { uniqueNames } from "./unique-names.ts";

const trusted = await TrustedFolder.require(undefined, []);

const planner = new MetricPlanner({
  trusted,
  folder: "/",
  judges: { judge: async () => Promise.reject("no judge") },
  redactor: createRedactor(),
});

const rows: readonly [config: MetricConfig, name: string][] = [
  [{ type: "standard", metric: "rouge" }, "rougeL"],
  [{ type: "standard", metric: "rougeL", stemming: true }, "rougeL (stemming)"],
  [{ type: "standard", metric: "contains", value: "shipped" }, 'contains "shipped"'],
  [{ type: "standard", metric: "contains", value: ["a", "b"] }, 'contains ["a", "b"]'],
  [{ type: "standard", metric: "contains", value: "x".repeat(60) }, `contains "${"x".repeat(39)}…`],
  [{ type: "standard", metric: "regex", value: "^A-\\d+" }, "regex /^A-\\d+/"],
  [{ type: "standard", metric: "equality" }, "equality"],
  [{ type: "standard", metric: "equality", value: { a: null } }, "equality { a: null }"],
  [{ type: "standard", metric: "numeric", value: 5, tolerance: 0.5 }, "numeric 5 ± 0.5"],
  [{ type: "standard", metric: "numeric", relative_tolerance: 0.01 }, "numeric ± 1 %"],
  [{ type: "standard", metric: "numeric", response_path: "answer" }, "numeric of answer"],
  [{ type: "standard", metric: "response_path", path: "order.id", value: "A-1" }, 'response_path order.id = "A-1"'],
  [{ type: "standard", metric: "response_path", path: "order.id" }, "response_path order.id"],
  [{ type: "standard", metric: "json_schema", schema: "order.json" }, "json_schema (order.json)"],
  [{ type: "rag", metric_type: "faithfulness" }, "faithfulness"],
  [{ type: "geval", name: "Kind", criteria: "It is kind." }, "Kind"],
];

test.each(rows)("the metric %j has the name %s", (config, name) => {
  expect(planner.plan([config])).toMatchObject([{ name }]);
});

test("equal names become unique by different thresholds, else by a number", () => {
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
