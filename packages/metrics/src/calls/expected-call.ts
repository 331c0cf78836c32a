import { isPlainObject } from "@bridle/protocol";
import { describeExpected } from "./describe-value.ts";

export const expectedOutcomes = ["succeeded", "failed", "executed", "denied"] as const;
type ExpectedOutcome = (typeof expectedOutcomes)[number];

/** An expected tool call. */
export interface ExpectedCall {
  /** The exact name. A character that models never see in names, such as the dot of `my.tool`, counts as `_`. */
  readonly name: string;
  /** Arguments that the input has to contain; it may contain more. Values are compared by `matchValue`. */
  readonly args?: Readonly<Record<string, unknown>>;
  /** The exact number of calls that fit; 0 means none. Default: at least one. */
  readonly count?: number;
  /**
   * How the call ended; `executed` is any end but `denied`. Default: `succeeded`, but with `count: 0` it is `executed`,
   * because a call that must not be made must not fail either.
   */
  readonly outcome?: ExpectedOutcome;
}

/** A tool call that the agent made. */
export interface MadeCall {
  readonly tool: string;
  readonly input: unknown;
  /** `invalid`: the input did not fit the tool, or there is no such tool. Such a call never ran, and fits no expectation. */
  readonly state: "succeeded" | "failed" | "denied" | "unfinished" | "invalid";
}

/** Whether a call ended as expected. */
export function hasOutcome(expected: ExpectedCall, { state }: MadeCall): boolean {
  const outcome = outcomeOf(expected);
  return outcome === "executed" ? state !== "denied" && state !== "invalid" : state === outcome;
}

function outcomeOf({ outcome, count }: ExpectedCall): ExpectedOutcome {
  return outcome ?? (count === 0 ? "executed" : "succeeded");
}

/** The arguments of a call. Models may send an input that is no object: it has no arguments. */
export function inputOf({ input }: MadeCall): Record<string, unknown> {
  return isPlainObject(input) ? input : {};
}

/** An expectation as text. */
export function describeCall({ name, args, count, outcome }: ExpectedCall): string {
  const parts = [
    name,
    ...(args && Object.keys(args).length > 0 ? [describeExpected(args)] : []),
    ...(count === undefined ? [] : [`(exactly ${count} ${count === 1 ? "call" : "calls"})`]),
    ...(outcome === undefined ? [] : [`(${outcome})`]),
  ];
  return parts.join(" ");
}
