import { normaliseToolName } from "@bridle/core";
import { assign } from "./assign.ts";
import { describeCall, type ExpectedCall, hasOutcome, inputOf, type MadeCall } from "./expected-call.ts";
import { explainMiss } from "./explain-miss.ts";
import { matchValue } from "./match-value.ts";

/** The result for one expectation. */
export interface CallMatch {
  /** As text, such as `lookup_order { id: "A-1001" }`. */
  readonly expected: string;
  readonly ok: boolean;
  /** Why it is not met; missing if it is. */
  readonly message?: string;
  /** Indexes of all calls that fit. */
  readonly fitting: readonly number[];
}

/**
 * Compares the calls that were made with the expected ones. Order does not count, and further calls are no failure. Two
 * expectations with arguments need two calls, even if one call fits both. An expectation without arguments is met by any call
 * of its tool, and one with a count takes all calls into account.
 */
export function matchCalls(expected: readonly ExpectedCall[], calls: readonly MadeCall[]): CallMatch[] {
  const fitting = expected.map((each) => indexesOf(calls, (call) => fits(each, call)));
  const exclusive = indexesOf(expected, ({ args, count }) => args !== undefined && count === undefined);
  const served = assign(exclusive.map((index) => fitting[index] ?? []));
  return expected.map((each, index) => {
    const found = fitting[index] ?? [];
    const position = exclusive.indexOf(index);
    const ok =
      each.count === undefined ? (position < 0 ? found.length > 0 : served.has(position)) : found.length === each.count;
    const match = { expected: describeCall(each), ok, fitting: found };
    return ok ? match : { ...match, message: explainMiss(each, calls, found.length) };
  });
}

function fits(expected: ExpectedCall, call: MadeCall): boolean {
  if (call.tool !== normaliseToolName(expected.name)) return false;
  if (!hasOutcome(expected, call)) return false;
  return expected.args === undefined || matchValue(expected.args, inputOf(call)).length === 0;
}

function indexesOf<T>(list: readonly T[], isOne: (each: T) => boolean): number[] {
  return list.flatMap((each, index) => (isOne(each) ? [index] : []));
}
