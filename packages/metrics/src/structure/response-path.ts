import type { JsonValue } from "@bridle/protocol";
import { z } from "zod";
import { describeValue } from "../calls/describe-value.ts";
import { defineMetric } from "../scoring/define-metric.ts";
import { shortenForLabel } from "../scoring/excerpt.ts";
import type { Score } from "../scoring/score.ts";
import { bestOf, expectedValues, scoreAnswer } from "../scoring/score-answer.ts";
import { findValue, parsePath } from "../values/path.ts";
import { findDifference } from "./difference.ts";
import { readAnswerValue, type StructuredAnswer } from "./structured-answer.ts";

/**
 * Scores 1 if the value at a path of the answer equals the expected value, else 0. The values are compared as JSON: keys in any order,
 * lists in order, values of the same type. Throws ConfigError for an invalid path.
 */
export function responsePath(answer: StructuredAnswer, path: string, expected: JsonValue): Score {
  const keys = parsePath(path);
  const read = readAnswerValue(answer);
  if ("problem" in read) return { score: 0, reason: read.problem };
  const found = findValue(read.value, keys);
  if ("missing" in found) return { score: 0, reason: found.missing };
  const reason = findDifference(expected, found.value, keys);
  return reason === undefined ? { score: 1 } : { score: 0, reason };
}

export const responsePathMetric = defineMetric({
  name: "response_path",
  type: "standard",
  kind: "structure",
  settings: {
    path: z.string().trim().min(1).describe("The path of a value in the answer's object, such as order.id."),
    value: z.json().exactOptional().describe("The value that must be at the path. Default: the ground truth."),
  },
  remedies: { path: "Write the path of the value in the answer, such as order.id." },
  unit: null,
  passes: "at-least",
  defaultThreshold: 1,
  documentation: {
    summary: "whether a value in the answer equals the expected value",
    range: "0 or 1",
    needs: "`path`; `value` or `ground_truth`",
    cost: "none",
  },
  label: ({ path, value }) =>
    `response_path ${path}${value === undefined ? "" : ` = ${shortenForLabel(describeValue(value))}`}`,
  open:
    ({ path, value }) =>
    (facts) =>
      bestOf(
        expectedValues(value, facts).map((expected) =>
          scoreAnswer(facts, responsePath(facts, path, expected), `${path} is ${describeValue(expected)}`),
        ),
      ),
});
