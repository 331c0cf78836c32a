import type { MetricConfig } from "@bridle/agent";
import { createRedactor } from "@bridle/core";
import { TrustedFolder } from "@bridle/protocol";
import { expect, test } from "vitest";
import { MetricPlanner } from "./metric-planner.ts";

const trusted = await TrustedFolder.require(undefined, []);

const planner = new MetricPlanner({
  trusted,
  folder: "/",
  judges: { judge: async () => Promise.reject("no judge") },
  redactor: createRedactor(),
});
const names = (...configs: MetricConfig[]) => planner.plan(configs).map(({ name }) => name);

test("metrics of one kind have different names, by their settings or by a number", () => {
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
  expect(names(rouge, { type: "standard", metric: "rougeL", stemming: true }, rouge, code, rubric)).toEqual([
    "rougeL",
    "rougeL (stemming)",
    "rougeL #2",
    "Mine",
    "Mine #2",
  ]);
});

test("a metric that is not enabled is left out", () => {
  expect(
    names({ type: "standard", metric: "bleu", enabled: false }, { type: "standard", metric: "f1", enabled: true }),
  ).toEqual(["f1"]);
});
