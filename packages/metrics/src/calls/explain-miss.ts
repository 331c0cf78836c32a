import { normaliseToolName } from "@bridle/core";
import type { FittedEntry } from "./call-modes.ts";
import { describeValue, formatTimes } from "./describe-value.ts";
import { type ExpectedCall, formatRange, hasOutcome, inputOf, type MadeCall, writtenRange } from "./expected-call.ts";
import { type Difference, matchValue } from "./match-value.ts";

/** Explains why an expectation is not met: the calls of the tool, the most similar call, and how it differs. */
export function explainMiss({ expected, range, fitting }: FittedEntry, calls: readonly MadeCall[]): string {
  const same = calls.filter(({ tool }) => tool === normaliseToolName(expected.name));
  if (same.length === 0) return explainMissingTool(expected, calls);
  if (writtenRange(expected) !== undefined && fitting.length > 0) {
    const often = `${formatTimes(fitting.length)}, expected ${formatRange(range)}`;
    return `${expected.name} was called like this ${often}.${explainInvalid(fitting, calls)}`;
  }
  if (fitting.length > 0) return "Other entries use the calls that fit: each entry with arguments needs its own call.";
  const nearest = findNearest(expected, same, range.min === 0);
  const often = `${expected.name} was called${same.length === 1 ? "" : ` ${same.length} times, nearest`}`;
  const remedy =
    expected.outcome === undefined && nearest.call.state === "failed"
      ? " Write outcome: executed if that is enough."
      : "";
  return `${often} with ${describeValue(nearest.call.input)}: ${formatDifferences(nearest)}.${remedy}`;
}

/** Explains a limit that was exceeded by calls with invalid arguments, which count although the tool never ran. */
function explainInvalid(fitting: readonly number[], calls: readonly MadeCall[]): string {
  const invalid = fitting.filter((index) => calls[index]?.state === "invalid").length;
  if (invalid === 0) return "";
  return ` The tool refused the arguments of ${invalid === 1 ? "one call" : `${invalid} calls`}, but the model tried.`;
}

function explainMissingTool({ name }: ExpectedCall, calls: readonly MadeCall[]): string {
  if (calls.length === 0) return `${name} was not called; no tool was.`;
  return `${name} was not called. Called: ${[...new Set(calls.map(({ tool }) => tool))].join(", ")}.`;
}

interface Candidate {
  readonly call: MadeCall;
  readonly differences: readonly Difference[];
  /** Arguments that the expectation does not mention. They are not failures. */
  readonly extra: readonly string[];
}

/** Finds the call with the fewest differences; the first one if several have as few. */
function findNearest(expected: ExpectedCall, calls: readonly MadeCall[], limits: boolean): Candidate {
  const [first, ...others] = calls.map((call) => compare(expected, call, limits));
  if (first === undefined) throw new Error("There is no nearest of no calls.");
  return others.reduce((best, each) => (each.differences.length < best.differences.length ? each : best), first);
}

function compare(expected: ExpectedCall, call: MadeCall, limits: boolean): Candidate {
  const { args = {} } = expected;
  const input = inputOf(call);
  const wrongOutcome = hasOutcome(expected, call, limits) ? [] : [outcomeDifference(expected, call)];
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
