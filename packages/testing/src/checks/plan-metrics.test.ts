import { createRedactor } from "@bridle/core";
import { expect, test } from "vitest";
import type { MetricConfig } from "./case-config.ts";
import { planMetrics } from "./plan-metrics.ts";

/** Nobody is asked. */
const judges = {
  warnings: [],
  byCriteria: new Map(),
  judge: async () => Promise.reject("no judge"),
  close: async () => {},
};

const redactor = createRedactor();
const names = (...configs: MetricConfig[]) =>
  planMetrics(configs, { baseDir: "/", judges, redactor }).map(({ name }) => name);

test("the same metric with other settings is another metric, and with the same ones too", () => {
  const rouge: MetricConfig = { type: "standard", metric: "rougeL" };
  const code: MetricConfig = { type: "code", name: "Mine", file: "a.ts", function: "a" };
  const rubric: MetricConfig = {
    type: "rubric",
    name: "Mine",
    levels: [
      { score: 0, description: "a" },
      { score: 1, description: "b" },
    ],
  };
  expect(names(rouge, { ...rouge, stemming: true }, rouge, code, rubric)).toEqual([
    ...["rougeL", "rougeL (stemming)", "rougeL #2", "Mine", "Mine #2"],
  ]);
});

test("what is not enabled is left out", () => {
  expect(
    names({ type: "standard", metric: "bleu", enabled: false }, { type: "standard", metric: "f1", enabled: true }),
  ).toEqual(["f1"]);
});
