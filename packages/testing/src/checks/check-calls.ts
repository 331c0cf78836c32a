import { turnsOf } from "@bridle/agent";
import { normaliseToolName } from "@bridle/core";
import {
  argumentProblems,
  type CallMode,
  describeCall,
  describeValue,
  type ExpectedCall,
  type MadeCall,
  matchCalls,
  matchMode,
} from "@bridle/metrics";
import { type JsonSchema, nearest } from "@bridle/protocol";
import type { Call } from "../result/call.ts";
import type { Expectation, Failure } from "../result/trial-result.ts";
import type { CaseConfig, ExpectedToolConfig, TurnConfig } from "./case-config.ts";

export interface CallsToCheck {
  readonly expected: TurnConfig["expected_tools"];
  /** Whether order matters, and whether other calls are allowed. Default: other calls are allowed, in any order. */
  readonly mode?: CallMode | undefined;
  readonly calls: readonly Call[];
  readonly known: KnownTools;
  /** The number of the turn, from 1. */
  readonly turn: number;
}

/** The tools of an agent, including the host's own, by name: the schema of the input, or `null` if only the host knows the schema. */
export type KnownTools = ReadonlyMap<string, JsonSchema | null>;

export interface CheckedCalls {
  readonly expectations: readonly Expectation[];
  readonly failures: readonly Failure[];
}

/** Compares the calls of a turn with `expected_tools`. A denied call is a failure unless a denial was expected. */
export function checkCalls(given: CallsToCheck): CheckedCalls {
  const { calls, known, turn } = given;
  const { entries, mode } = expectedCalls(given);
  const made = calls.map(toMadeCall);
  const matches = matchCalls(entries, made, mode);
  const checked = entries.map((entry, index): Checked => {
    const match = matches[index];
    const impossible = findImpossible(entry, known);
    const message = impossible?.message ?? match?.message ?? null;
    const expectation = { expected: match?.expected ?? describeCall(entry), ok: message === null, message };
    return toChecked(expectation, impossible?.kind ?? "expected-tools", given);
  });
  const whole = matchMode(entries, made, mode);
  if (whole !== undefined) {
    checked.push(toChecked({ ...whole, message: whole.message ?? null }, "expected-tools", given));
  }
  const wanted = new Set(entries.flatMap((entry, index) => (allowsDenied(entry) ? matches[index]?.fitting : [])));
  const denied = calls.filter((_, index) => made[index]?.state === "denied" && !wanted.has(index));
  return {
    expectations: checked.map(({ expectation }) => expectation),
    failures: [...checked.flatMap(({ failure }) => failure ?? []), ...denied.map((call) => deniedFailure(call, turn))],
  };
}

interface Checked {
  readonly expectation: Expectation;
  readonly failure?: Failure;
}

function toChecked(
  expectation: Expectation,
  kind: Parameters<typeof failureOf>[0],
  { calls, turn }: Pick<CallsToCheck, "calls" | "turn">,
): Checked {
  return expectation.ok ? { expectation } : { expectation, failure: failureOf(kind, expectation, calls, turn) };
}

/** Whether an entry accepts a denied call. */
function allowsDenied({ outcome, count, atMost }: ExpectedCall): boolean {
  return outcome === "denied" || (outcome === "attempted" && count !== 0 && atMost !== 0);
}

/** Returns the entries of `expected_tools`; `none` becomes a list without entries that forbids all calls. */
function expectedCalls({ expected = [], mode = "superset" }: Pick<CallsToCheck, "expected" | "mode">): {
  readonly entries: readonly ExpectedCall[];
  readonly mode: CallMode;
} {
  if (expected === "none") return { entries: [], mode: "strict" };
  return { entries: expected.map(toExpectedCall), mode };
}

/** Returns warnings before anything runs: one for each entry of a case's `expected_tools` that no call can match. */
export function impossibleCalls(
  cases: readonly { readonly name: string; readonly config: CaseConfig }[],
  known: KnownTools,
): string[] {
  return cases.flatMap(({ name, config }) => {
    const entries = turnsOf(config).flatMap((turn) => expectedCalls({ expected: turn.expected_tools }).entries);
    const problems = new Set(entries.flatMap((entry) => findImpossible(entry, known)?.message ?? []));
    return [...problems].map((problem) => `The case "${name}" will fail: ${problem}`);
  });
}

interface Impossible {
  readonly kind: "unknown-tool" | "unknown-argument";
  readonly message: string;
}

/** Explains why no call can match an entry. Such an entry fails even if it expects no call. */
function findImpossible(entry: ExpectedCall, known: KnownTools): Impossible | undefined {
  const { name, args } = entry;
  const wanted = normaliseToolName(name);
  const names = [...known.keys()];
  const found = names.find((each) => normaliseToolName(each) === wanted);
  if (found === undefined) return { kind: "unknown-tool", message: unknownTool(name, names) };
  const schema = known.get(found) ?? null;
  if (args === undefined) return undefined;
  if (!hasNames(schema)) return isMetWithoutCall(entry) ? unknownNames(entry) : undefined;
  const [problem] = argumentProblems(args, schema);
  if (problem === undefined) return undefined;
  return {
    kind: "unknown-argument",
    message: `expected_tools names a call of ${name} that is not possible: ${problem.message}`,
  };
}

/** Whether a schema declares its arguments, or refers to schemas that do. */
function hasNames(schema: JsonSchema | null): schema is JsonSchema {
  return schema !== null && ["properties", "$ref", "allOf", "anyOf", "oneOf"].some((key) => schema[key] !== undefined);
}

function isMetWithoutCall({ count, atLeast = 0, atMost }: ExpectedCall): boolean {
  return count === 0 || (count === undefined && atMost !== undefined && atLeast === 0);
}

/** Refuses arguments whose names are not known. A misspelled name would match no call, so the entry would always pass. */
function unknownNames({ name, args, count }: ExpectedCall): Impossible {
  const key = count === 0 ? "count: 0" : "at_most";
  const names = Object.keys(args ?? {}).join(", ");
  const message = `expected_tools has args (${names}) for ${name} together with ${key}, but the names of its arguments are not known, so a misspelt name would pass. Leave args out, or use a grader that looks at the calls.`;
  return { kind: "unknown-argument", message };
}

function unknownTool(name: string, known: readonly string[]): string {
  const [near] = nearest(name, known, 1);
  const there = known.length === 0 ? "It has no tools." : `It has ${known.join(", ")}.`;
  const hint = near === undefined ? `${there} Correct the name.` : `Did you mean "${near}"?`;
  return `expected_tools names "${name}", but the agent has no such tool. ${hint}`;
}

function toExpectedCall(entry: ExpectedToolConfig): ExpectedCall {
  if (typeof entry === "string") return { name: entry };
  const { at_least: atLeast, at_most: atMost, ...rest } = entry;
  return { ...rest, atLeast, atMost };
}

function failureOf(
  kind: Impossible["kind"] | "expected-tools",
  { expected, message }: Expectation,
  calls: readonly Call[],
  turn: number,
): Failure {
  const made = calls.map(({ tool }) => tool).join(", ");
  const received = made === "" ? "no call" : made;
  return { kind, message: message ?? "", turn, expected, received, code: null };
}

/** Rules of the tool executor about a model's mistakes. They are not rules of the project. */
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
