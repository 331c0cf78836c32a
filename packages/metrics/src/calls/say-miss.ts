import { normaliseToolName } from "@bridle/core";
import { describeValue } from "./describe-value.ts";
import { type ExpectedCall, hasOutcome, inputOf, type MadeCall } from "./expected-call.ts";
import { type Difference, matchValue } from "./match-value.ts";

/** What came instead of an expected call: what was called, the nearest call, and what in it is otherwise. */
export function sayMiss(expected: ExpectedCall, calls: readonly MadeCall[], fitting: number): string {
  const same = calls.filter(({ tool }) => tool === normaliseToolName(expected.name));
  if (same.length === 0) return sayNever(expected, calls);
  if (expected.count !== undefined && fitting > 0)
    return `${expected.name} was called so ${times(fitting)}, instead of ${times(expected.count)}.`;
  if (fitting > 0) return "The calls that fit serve other entries: each entry with arguments needs a call of its own.";
  const nearest = nearestOf(expected, same);
  const often = `${expected.name} was called${same.length === 1 ? "" : ` ${same.length} times, nearest`}`;
  return `${often} with ${describeValue(nearest.call.input)}: ${sayDifferences(nearest)}.`;
}

function sayNever({ name }: ExpectedCall, calls: readonly MadeCall[]): string {
  if (calls.length === 0) return `${name} was not called; no tool was.`;
  return `${name} was not called. Called: ${[...new Set(calls.map(({ tool }) => tool))].join(", ")}.`;
}

interface Candidate {
  readonly call: MadeCall;
  readonly differences: readonly Difference[];
  /** Arguments that nobody expected, which are no fault. */
  readonly extra: readonly string[];
}

/** The one with the fewest differences; of those the first. */
function nearestOf(expected: ExpectedCall, calls: readonly MadeCall[]): Candidate {
  const [first, ...others] = calls.map((call) => compare(expected, call));
  if (first === undefined) throw new Error("There is no nearest of no calls.");
  return others.reduce((best, each) => (each.differences.length < best.differences.length ? each : best), first);
}

function compare(expected: ExpectedCall, call: MadeCall): Candidate {
  const { args = {} } = expected;
  const input = inputOf(call);
  const wrongEnd = hasOutcome(expected, call) ? [] : [endOf(expected, call)];
  return {
    call,
    differences: [...matchValue(args, input), ...wrongEnd],
    extra: expected.args ? Object.keys(input).filter((key) => !Object.hasOwn(args, key)) : [],
  };
}

function endOf({ outcome }: ExpectedCall, { state }: MadeCall): Difference {
  const was = state === "denied" || state === "invalid" || state === "unfinished" ? `was ${state}` : state;
  return { path: "the call", problem: outcome === undefined ? was : `${was} instead of ${outcome}` };
}

function sayDifferences({ differences, extra }: Candidate): string {
  const told = differences.map(({ path, problem }) => `${path} ${problem}`);
  const more = extra.length === 0 ? [] : [`not asked about, and no fault: ${extra.join(", ")}`];
  return [...told, ...more].join("; ");
}

function times(count: number): string {
  return count === 1 ? "once" : `${count} times`;
}
