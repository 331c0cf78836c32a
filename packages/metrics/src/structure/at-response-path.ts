/** Adds `response_path`, with which a metric that compares texts can compare one value of the answer's object. */
import type { MetricDefinition, MetricFacts, MetricScorer } from "@bridle/protocol";
import { z } from "zod";
import { findValue, parsePath } from "../values/path.ts";
import { readAnswerValue } from "./structured-answer.ts";

const responsePathSetting = {
  response_path: z
    .string()
    .trim()
    .min(1)
    .exactOptional()
    .describe("The path of a value in the answer's object, such as order.id. The metric compares only this value."),
};

type PathSetting = typeof responsePathSetting;

/** Adds the setting `response_path` to a metric. An answer without the value scores 0. */
export function atResponsePath<
  Name extends string,
  Type extends string,
  Shape extends z.ZodRawShape,
  Alias extends string,
>(definition: MetricDefinition<Name, Type, Shape, Alias>): MetricDefinition<Name, Type, Shape & PathSetting, Alias> {
  type Settings = z.output<z.ZodObject<Shape & PathSetting>>;
  const { label } = definition;
  const own = (settings: Settings) =>
    Object.fromEntries(Object.entries(settings).filter(([key]) => key !== "response_path")) as z.output<
      z.ZodObject<Shape>
    >;
  const pathOf = (settings: Settings) => Reflect.get(settings, "response_path") as string | undefined;
  return {
    ...definition,
    settings: { ...definition.settings, ...responsePathSetting },
    label: (settings) => {
      const text = label?.(own(settings)) ?? definition.name;
      const path = pathOf(settings);
      return path === undefined ? text : `${text} of ${path}`;
    },
    groundTruthFault: (truth, settings) => definition.groundTruthFault?.(truth, own(settings)),
    open(settings, context) {
      const path = pathOf(settings);
      const score = definition.open(own(settings), context);
      return path === undefined ? score : scoreValueAt(path, score);
    },
  };
}

function scoreValueAt(path: string, score: MetricScorer): MetricScorer {
  return async (facts, context) => {
    const read = readAnswerValue(facts);
    const found = "problem" in read ? { missing: read.problem } : findValue(read.value, parsePath(path));
    if ("missing" in found) return { score: 0, reason: found.missing };
    return score(factsOfValue(facts, found.value), context);
  };
}

/** Returns the facts of an answer that consists of this value. */
function factsOfValue({ object: _object, ...facts }: MetricFacts, value: unknown): MetricFacts {
  return typeof value === "string"
    ? { ...facts, answer: value }
    : { ...facts, answer: JSON.stringify(value), object: value };
}
