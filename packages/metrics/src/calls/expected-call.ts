import { isPlainObject } from "@bridle/protocol";
import { describeExpected } from "./describe-value.ts";

/** A call that a tool is expected to get. */
export interface ExpectedCall {
  /** The exact name. Characters that no model is shown, such as the dot of `my.tool`, count as the `_` in their place. */
  readonly name: string;
  /** What its input has to hold; it may hold more. Values are compared by `matchValue`. */
  readonly args?: Readonly<Record<string, unknown>>;
  /** Exactly how many calls fit; 0: none does. Without it: at least one. */
  readonly count?: number;
  /** How the call ended. Without it: in any way but `denied`. */
  readonly outcome?: "succeeded" | "failed" | "denied";
}

/** A call as it was made. */
export interface MadeCall {
  readonly tool: string;
  readonly input: unknown;
  /** `invalid`: its input did not fit the tool, or there is none of its name. It never ran, and fits no expectation. */
  readonly state: "succeeded" | "failed" | "denied" | "unfinished" | "invalid";
}

/** Without a word on how a call ends, one that was not let through is none. */
export function hasOutcome({ outcome }: ExpectedCall, { state }: MadeCall): boolean {
  return outcome === undefined ? state !== "denied" && state !== "invalid" : state === outcome;
}

/** An input that is no object, as a model may send it, holds no argument. */
export function inputOf({ input }: MadeCall): Record<string, unknown> {
  return isPlainObject(input) ? input : {};
}

/** An expectation in words. */
export function describeCall({ name, args, count, outcome }: ExpectedCall): string {
  const parts = [
    name,
    ...(args && Object.keys(args).length > 0 ? [describeExpected(args)] : []),
    ...(count === undefined ? [] : [`(exactly ${count} ${count === 1 ? "call" : "calls"})`]),
    ...(outcome === undefined ? [] : [`(${outcome})`]),
  ];
  return parts.join(" ");
}
