/** Finds problems of `expected_tools` that concern more than one key. */
import type { CallMode } from "@bridle/metrics";

interface CallProblem {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

interface WrittenRange {
  readonly count?: number;
  readonly at_least?: number;
  readonly at_most?: number;
}

/** Finds numbers of calls that contradict each other. */
export function rangeProblems({ count, at_least: min, at_most: max }: WrittenRange): CallProblem[] {
  if (count !== undefined && (min !== undefined || max !== undefined)) {
    return [{ path: ["count"], message: "cannot be combined with at_least and at_most. Keep one of them." }];
  }
  if (min === undefined || max === undefined || min <= max) return [];
  return [{ path: ["at_least"], message: `is more than at_most (${max}), so no number of calls fits. Correct one.` }];
}

interface WrittenCalls {
  readonly no_checks?: true;
  readonly evaluations?: unknown;
  readonly expected_tools?: "none" | readonly unknown[];
  readonly expected_tools_mode?: CallMode;
}

/** Finds contradictions, a mode without effect, and duplicate names in an unordered list. */
export function callListProblems(given: WrittenCalls): CallProblem[] {
  const { expected_tools: tools, expected_tools_mode: mode } = given;
  if (given.no_checks && (tools !== undefined || given.evaluations !== undefined)) {
    return [{ path: ["no_checks"], message: "cannot be combined with expected_tools and evaluations. Remove it." }];
  }
  if (mode !== undefined && (tools === undefined || tools === "none")) {
    return [{ path: ["expected_tools_mode"], message: "has no effect without a list in expected_tools. Remove it." }];
  }
  if (tools === undefined || tools === "none" || mode === "sequence" || mode === "strict") return [];
  return tools.flatMap((name, index) => {
    if (typeof name !== "string" || tools.indexOf(name) === index) return [];
    const message = `${name} is already in the list. Write { name: ${name}, count: 2 }, or remove it.`;
    return [{ path: ["expected_tools", index], message }];
  });
}
