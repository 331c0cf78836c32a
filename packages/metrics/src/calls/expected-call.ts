import { isPlainObject } from "@bridle/protocol";
import { describeExpected, formatTimes } from "./describe-value.ts";

export const expectedOutcomes = ["succeeded", "failed", "executed", "denied", "attempted"] as const;
type ExpectedOutcome = (typeof expectedOutcomes)[number];

/** An expected tool call. */
export interface ExpectedCall {
  /** The exact name. A character that models never see in names, such as the dot of `my.tool`, counts as `_`. */
  readonly name: string;
  /** Arguments that the input must contain; further arguments are allowed. `matchValue` compares the values. */
  readonly args?: Readonly<Record<string, unknown>> | undefined;
  /** The exact number of matching calls; 0 forbids them. Cannot be combined with `atLeast` and `atMost`. */
  readonly count?: number | undefined;
  readonly atLeast?: number | undefined;
  readonly atMost?: number | undefined;
  /**
   * How the call ended. `executed` is any end except `denied` and `invalid`. `attempted` is any end, including calls with invalid
   * arguments. Default: `succeeded`. An entry that only sets a limit, such as `count: 0`, counts every attempt that was not denied, because
   * a denied call is a separate failure.
   */
  readonly outcome?: ExpectedOutcome | undefined;
}

/** A tool call that the agent made. */
export interface MadeCall {
  readonly tool: string;
  readonly input: unknown;
  /** `invalid`: the input did not match the tool's schema, or the tool does not exist. A call in this state never ran. */
  readonly state: "succeeded" | "failed" | "denied" | "unfinished" | "invalid";
}

/** How many calls an entry needs, and how many it allows. */
export interface CallRange {
  readonly min: number;
  readonly max: number;
}

/** Returns the range that an entry sets; `undefined` if it sets none. */
export function writtenRange({ count, atLeast, atMost }: ExpectedCall): CallRange | undefined {
  if (count !== undefined) return { min: count, max: count };
  if (atLeast === undefined && atMost === undefined) return undefined;
  return { min: atLeast ?? 0, max: atMost ?? Number.POSITIVE_INFINITY };
}

/** Whether a call ended as expected. `limits`: the entry only limits the number of calls. */
export function hasOutcome({ outcome }: ExpectedCall, { state }: MadeCall, limits: boolean): boolean {
  switch (outcome ?? (limits ? "limited" : "succeeded")) {
    case "attempted":
      return true;
    case "limited":
      return state !== "denied";
    case "executed":
      return state !== "denied" && state !== "invalid";
    default:
      return state === (outcome ?? "succeeded");
  }
}

/** Returns the arguments of a call: none if the model sent an input that is not an object. */
export function inputOf({ input }: MadeCall): Record<string, unknown> {
  return isPlainObject(input) ? input : {};
}

/** Formats an expectation as text. */
export function describeCall(expected: ExpectedCall): string {
  const { name, args, count, outcome } = expected;
  const range = writtenRange(expected);
  const often = count === undefined ? range && `(${formatRange(range)})` : `(exactly ${count} ${callsWord(count)})`;
  const parts = [
    name,
    ...(args && Object.keys(args).length > 0 ? [describeExpected(args)] : []),
    ...(often === undefined ? [] : [often]),
    ...(outcome === undefined ? [] : [`(${outcome})`]),
  ];
  return parts.join(" ");
}

/** Formats a range, such as `2 times`, `at least once`, `at most 3 times` or `2 to 3 times`. */
export function formatRange({ min, max }: CallRange): string {
  if (min === max) return formatTimes(min);
  if (max === Number.POSITIVE_INFINITY) return `at least ${formatTimes(min)}`;
  return min === 0 ? `at most ${formatTimes(max)}` : `${min} to ${formatTimes(max)}`;
}

function callsWord(count: number): string {
  return count === 1 ? "call" : "calls";
}
