import { normaliseToolName } from "@bridle/core";
import { assign } from "./assign.ts";
import { describeCall, type ExpectedCall, hasOutcome, inputOf, type MadeCall } from "./expected-call.ts";
import { matchValue } from "./match-value.ts";
import { sayMiss } from "./say-miss.ts";

/** What became of one expectation. */
export interface CallMatch {
  /** In words, such as `lookup_order { id: "A-1001" }`. */
  readonly expected: string;
  readonly ok: boolean;
  /** What came instead; missing where it is ok. */
  readonly message?: string;
  /** Places of all calls that fit, in the list of calls. */
  readonly fitting: readonly number[];
}

/**
 * Holds the calls that were made against those that were expected. Order does not count, and neither do calls that nobody
 * expected. Two expectations with arguments need two calls, though one may fit both; one without arguments is content
 * with any call of its tool, and one with a count looks at all.
 */
export function matchCalls(expected: readonly ExpectedCall[], calls: readonly MadeCall[]): CallMatch[] {
  const fitting = expected.map((each) => indexesOf(calls, (call) => fits(each, call)));
  const needy = indexesOf(expected, ({ args, count }) => args !== undefined && count === undefined);
  const served = assign(needy.map((index) => fitting[index] ?? []));
  return expected.map((each, index) => {
    const found = fitting[index] ?? [];
    const share = needy.indexOf(index);
    const ok =
      each.count === undefined ? (share < 0 ? found.length > 0 : served.has(share)) : found.length === each.count;
    const match = { expected: describeCall(each), ok, fitting: found };
    return ok ? match : { ...match, message: sayMiss(each, calls, found.length) };
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
