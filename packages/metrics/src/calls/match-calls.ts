import { normaliseToolName } from "@bridle/core";
import { assign } from "./assign.ts";
import { type CallMode, describeMode, explainMode, type FittedEntry, forbidsOthers } from "./call-modes.ts";
import {
  type CallRange,
  describeCall,
  type ExpectedCall,
  hasOutcome,
  inputOf,
  type MadeCall,
  writtenRange,
} from "./expected-call.ts";
import { explainMiss } from "./explain-miss.ts";
import { matchValue } from "./match-value.ts";

/** The result for one expectation. */
export interface CallMatch {
  /** The expectation as text, such as `lookup_order { id: "A-1001" }`. */
  readonly expected: string;
  readonly ok: boolean;
  /** Why the expectation is not met; missing if it is met. */
  readonly message?: string;
  /** The indexes of all matching calls. */
  readonly fitting: readonly number[];
}

/**
 * Compares the calls that were made with the expected calls, one by one. Two expectations with arguments need two calls, even if one call
 * matches both. Any call of its tool meets an expectation without arguments. An expectation that sets a number counts all matching calls.
 * In modes that forbid other calls, every expectation stands for one call unless it sets a number of calls.
 */
export function matchCalls(
  expected: readonly ExpectedCall[],
  calls: readonly MadeCall[],
  mode: CallMode = "superset",
): CallMatch[] {
  const entries = fitEntries(expected, calls, mode);
  const exclusive = indexesOf(
    entries,
    (each) => writtenRange(each.expected) === undefined && (each.expected.args !== undefined || forbidsOthers(mode)),
  );
  const served = assign(exclusive.map((index) => entries[index]?.fitting ?? []));
  return entries.map((entry, index) => {
    const { range, fitting } = entry;
    const position = exclusive.indexOf(index);
    const isServed = position < 0 || range.min === 0 || served.has(position);
    const isInRange = fitting.length >= range.min && (position >= 0 || fitting.length <= range.max);
    const ok = isServed && isInRange;
    const match = { expected: describeCall(entry.expected), ok, fitting };
    return ok ? match : { ...match, message: explainMiss(entry, calls) };
  });
}

/** Compares all calls together; `undefined` if the mode expects nothing of all calls together. */
export function matchMode(
  expected: readonly ExpectedCall[],
  calls: readonly MadeCall[],
  mode: CallMode,
): Omit<CallMatch, "fitting"> | undefined {
  const text = describeMode(mode, expected);
  if (text === undefined) return undefined;
  const message = explainMode(mode, fitEntries(expected, calls, mode), calls);
  return message === undefined ? { expected: text, ok: true } : { expected: text, ok: false, message };
}

function fitEntries(expected: readonly ExpectedCall[], calls: readonly MadeCall[], mode: CallMode): FittedEntry[] {
  return expected.map((each) => {
    const range = rangeIn(each, mode);
    const limits = range.min === 0;
    return { expected: each, range, fitting: indexesOf(calls, (call) => fits(each, call, limits)) };
  });
}

function rangeIn(expected: ExpectedCall, mode: CallMode): CallRange {
  const unwritten =
    mode === "subset" ? { min: 0, max: 1 } : { min: 1, max: forbidsOthers(mode) ? 1 : Number.POSITIVE_INFINITY };
  return writtenRange(expected) ?? unwritten;
}

function fits(expected: ExpectedCall, call: MadeCall, limits: boolean): boolean {
  if (call.tool !== normaliseToolName(expected.name)) return false;
  if (!hasOutcome(expected, call, limits)) return false;
  return expected.args === undefined || matchValue(expected.args, inputOf(call)).length === 0;
}

function indexesOf<T>(list: readonly T[], isOne: (each: T) => boolean): number[] {
  return list.flatMap((each, index) => (isOne(each) ? [index] : []));
}
