import { normaliseToolName } from "@bridle/core";
import { describeCall, describeValue, type ExpectedCall, type MadeCall, matchCalls } from "@bridle/metrics";
import { nearest } from "@bridle/protocol";
import type { Call } from "../result/call.ts";
import type { Expectation, Failure } from "../result/trial-result.ts";
import { type CaseConfig, type ExpectedToolConfig, turnsOf } from "./case-config.ts";

export interface CallsToCheck {
  readonly expected: readonly ExpectedToolConfig[];
  readonly calls: readonly Call[];
  /** The names of all tools of the agent, including the host's own. */
  readonly known: readonly string[];
  /** The number of the turn, from 1. */
  readonly turn: number;
}

export interface CheckedCalls {
  readonly expectations: readonly Expectation[];
  readonly failures: readonly Failure[];
}

/** Compares the calls of a turn with `expected_tools`. A denied call is a failure unless it was expected to be denied. */
export function checkCalls({ expected, calls, known, turn }: CallsToCheck): CheckedCalls {
  const entries = expected.map(toExpectedCall);
  const matches = matchCalls(entries, calls.map(toMadeCall));
  const checked = entries.map((entry, index): { expectation: Expectation; failure?: Failure } => {
    const match = matches[index];
    const unknown = unknownTool(entry.name, known);
    const message = unknown ?? match?.message ?? null;
    const expectation = { expected: match?.expected ?? describeCall(entry), ok: message === null, message };
    if (message === null) return { expectation };
    return { expectation, failure: failureOf(unknown ? "unknown-tool" : "expected-tools", expectation, calls, turn) };
  });
  const wanted = new Set(
    entries.flatMap(({ outcome }, index) => (outcome === "denied" ? matches[index]?.fitting : [])),
  );
  const denied = calls.filter((call, index) => toMadeCall(call).state === "denied" && !wanted.has(index));
  return {
    expectations: checked.map(({ expectation }) => expectation),
    failures: [...checked.flatMap(({ failure }) => failure ?? []), ...denied.map((call) => deniedFailure(call, turn))],
  };
}

/** Warnings before anything runs: one for each name in a case's `expected_tools` that is no tool of the agent. */
export function unknownTools(
  cases: readonly { readonly name: string; readonly config: CaseConfig }[],
  known: readonly string[],
): string[] {
  return cases.flatMap(({ name, config }) => {
    const entries = turnsOf(config).flatMap((turn) => turn.expected_tools ?? []);
    const names = new Set(entries.map((entry) => toExpectedCall(entry).name));
    return [...names].flatMap((each) => {
      const problem = unknownTool(each, known);
      return problem === undefined ? [] : [`The case "${name}" will fail: ${problem}`];
    });
  });
}

function unknownTool(name: string, known: readonly string[]): string | undefined {
  const wanted = normaliseToolName(name);
  if (known.some((each) => normaliseToolName(each) === wanted)) return undefined;
  const [near] = nearest(name, known, 1);
  const there = known.length === 0 ? "It has no tools." : `It has ${known.join(", ")}.`;
  const hint = near === undefined ? `${there} Correct the name.` : `Did you mean "${near}"?`;
  return `expected_tools names "${name}", but the agent has no such tool. ${hint}`;
}

function toExpectedCall(entry: ExpectedToolConfig): ExpectedCall {
  return typeof entry === "string" ? { name: entry } : entry;
}

function failureOf(
  kind: "unknown-tool" | "expected-tools",
  { expected, message }: Expectation,
  calls: readonly Call[],
  turn: number,
): Failure {
  const made = calls.map(({ tool }) => tool).join(", ");
  const received = made === "" ? "no call" : made;
  return { kind, message: message ?? "", turn, expected, received, code: null };
}

/** Rules of the tool executor for mistakes of the model. They are no rules of the project. */
const faultsOfModels: readonly (string | null)[] = ["known-tool", "input-schema", "run-ended"];

function toMadeCall({ tool, input, state, rule }: Call): MadeCall {
  return { tool, input, state: state === "denied" && faultsOfModels.includes(rule) ? "invalid" : state };
}

function deniedFailure({ tool, input, rule, output }: Call, turn: number): Failure {
  const by = rule === null ? "" : ` by ${rule}`;
  const told = output === null || output.trim() === "" ? "" : ` The model received: ${output.trim()}`;
  const message = `A call of ${tool} was denied${by}. Allow it, or expect it with { name: ${tool}, outcome: denied }.${told}`;
  return {
    kind: "tool-denied",
    message,
    turn,
    expected: null,
    received: `${tool} ${describeValue(input)}`,
    code: null,
  };
}
