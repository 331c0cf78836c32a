import { normaliseToolName } from "@bridle/core";
import { describeValue } from "./describe-value.ts";
import { type ExpectedCall, hasOutcome, inputOf, type MadeCall } from "./expected-call.ts";
import { type Difference, matchValue } from "./match-value.ts";

/** Why an expectation is not met: the calls that were made, the nearest one, and its differences. */
export function explainMiss(expected: ExpectedCall, calls: readonly MadeCall[], fitting: number): string {
  const same = calls.filter(({ tool }) => tool === normaliseToolName(expected.name));
  if (same.length === 0) return explainMissingTool(expected, calls);
  if (expected.count !== undefined && fitting > 0)
    return `${expected.name} was called like this ${times(fitting)}, expected ${times(expected.count)}.`;
  if (fitting > 0) return "Other entries use the calls that fit: each entry with arguments needs a call of its own.";
  const nearest = findNearest(expected, same);
  const often = `${expected.name} was called${same.length === 1 ? "" : ` ${same.length} times, nearest`}`;
  const remedy =
    expected.outcome === undefined && nearest.call.state === "failed"
      ? " Write outcome: executed if that is enough."
      : "";
  return `${often} with ${describeValue(nearest.call.input)}: ${formatDifferences(nearest)}.${remedy}`;
}

function explainMissingTool({ name }: ExpectedCall, calls: readonly MadeCall[]): string {
  if (calls.length === 0) return `${name} was not called; no tool was.`;
  return `${name} was not called. Called: ${[...new Set(calls.map(({ tool }) => tool))].join(", ")}.`;
}

interface Candidate {
  readonly call: MadeCall;
  readonly differences: readonly Difference[];
  /** Arguments without an expectation. They are no failure. */
  readonly extra: readonly string[];
}

/** The first of the calls with the fewest differences. */
function findNearest(expected: ExpectedCall, calls: readonly MadeCall[]): Candidate {
  const [first, ...others] = calls.map((call) => compare(expected, call));
  if (first === undefined) throw new Error("There is no nearest of no calls.");
  return others.reduce((best, each) => (each.differences.length < best.differences.length ? each : best), first);
}

function compare(expected: ExpectedCall, call: MadeCall): Candidate {
  const { args = {} } = expected;
  const input = inputOf(call);
  const wrongOutcome = hasOutcome(expected, call) ? [] : [outcomeDifference(expected, call)];
  return {
    call,
    differences: [...matchValue(args, input), ...wrongOutcome],
    extra: expected.args ? Object.keys(input).filter((key) => !Object.hasOwn(args, key)) : [],
  };
}

function outcomeDifference({ outcome }: ExpectedCall, { state }: MadeCall): Difference {
  const was = state === "denied" || state === "invalid" || state === "unfinished" ? `was ${state}` : state;
  return { path: "the call", problem: outcome === undefined ? was : `${was} instead of ${outcome}` };
}

function formatDifferences({ differences, extra }: Candidate): string {
  const listed = differences.map(({ path, problem }) => `${path} ${problem}`);
  const more = extra.length === 0 ? [] : [`arguments without an expectation: ${extra.join(", ")}`];
  return [...listed, ...more].join("; ");
}

function times(count: number): string {
  return count === 1 ? "once" : `${count} times`;
}
