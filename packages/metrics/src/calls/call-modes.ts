import { assign } from "./assign.ts";
import { describeValue } from "./describe-value.ts";
import { type CallRange, describeCall, type ExpectedCall, type MadeCall } from "./expected-call.ts";

/**
 * How all calls together are compared with the expected calls.
 *
 * - `superset`: the expected calls, in any order. Further calls are allowed.
 * - `sequence`: the expected calls, in this order. Further calls are allowed.
 * - `unordered`: the expected calls and no others, in any order.
 * - `strict`: the expected calls and no others, in this order.
 * - `subset`: only expected calls, but not necessarily all of them.
 */
export const callModes = ["superset", "sequence", "unordered", "strict", "subset"] as const;
export type CallMode = (typeof callModes)[number];

/** Whether only expected calls may be made. Each entry then stands for one call, unless it sets a number of calls. */
export function forbidsOthers(mode: CallMode): boolean {
  return mode === "unordered" || mode === "strict" || mode === "subset";
}

/** An entry with the calls that match it. */
export interface FittedEntry {
  readonly expected: ExpectedCall;
  readonly range: CallRange;
  /** The indexes of the calls, in ascending order. */
  readonly fitting: readonly number[];
}

/** Explains why all calls together are not as expected; `undefined` if they are. The single entries have already been compared. */
export function explainMode(
  mode: CallMode,
  entries: readonly FittedEntry[],
  calls: readonly MadeCall[],
): string | undefined {
  const others = forbidsOthers(mode) ? otherCalls(entries, calls) : [];
  if (others.length > 0) return explainOthers(others, entries);
  const isInOrder = mode === "strict" ? followsStrictly(entries, calls) : mode !== "sequence" || hasSequence(entries);
  if (isInOrder) return undefined;
  const wanted = inOrder(entries).map(({ expected }) => describeCall(expected));
  const made = calls.map(describeMade).join(", ") || "no call";
  return `The calls do not follow the expected order: ${made}. Expected: ${wanted.join(", ")}.`;
}

/** Describes the mode for the list of expectations; `undefined` if the mode expects nothing. */
export function describeMode(mode: CallMode, entries: readonly ExpectedCall[]): string | undefined {
  if (mode === "superset") return undefined;
  if (entries.length === 0) return forbidsOthers(mode) ? "no call" : undefined;
  const texts = { sequence: "this order", strict: "this order, and no other calls" } as const;
  return mode === "sequence" || mode === "strict" ? texts[mode] : "no other calls";
}

/** Lists the calls that remain after as many calls as possible are assigned to entries. */
function otherCalls(entries: readonly FittedEntry[], calls: readonly MadeCall[]): MadeCall[] {
  const places = entries.flatMap(({ range, fitting }, entry) =>
    Array.from({ length: Math.min(range.max, fitting.length) }, () => entry),
  );
  const placesFor = calls.map((_, call) =>
    places.flatMap((entry, place) => (entries[entry]?.fitting.includes(call) ? [place] : [])),
  );
  const placed = assign(placesFor);
  return calls.filter((_, call) => !placed.has(call));
}

const maxListed = 5;

function explainOthers(others: readonly MadeCall[], entries: readonly FittedEntry[]): string {
  const listed = others.slice(0, maxListed).map(describeMade).join(", ");
  const more = others.length > maxListed ? ` and ${others.length - maxListed} more` : "";
  const expected = entries.length === 0 ? "No call was expected" : "Other calls were made than expected";
  return `${expected}: ${listed}${more}.`;
}

function describeMade({ tool, input, state }: MadeCall): string {
  return `${tool} ${describeValue(input)}${state === "succeeded" ? "" : ` (${state})`}`;
}

/** Entries that forbid calls have no position in an order. */
function inOrder(entries: readonly FittedEntry[]): FittedEntry[] {
  return entries.filter(({ range }) => range.max > 0);
}

/** Whether the required calls of each entry follow those of the previous entry. Choosing the earliest matching calls is optimal. */
function hasSequence(entries: readonly FittedEntry[]): boolean {
  let next = 0;
  for (const { range, fitting } of inOrder(entries)) {
    const later = fitting.filter((call) => call >= next).slice(0, range.min);
    if (later.length < range.min) return false;
    next = (later.at(-1) ?? next - 1) + 1;
  }
  return true;
}

/** Whether the calls consist of one run of matching calls for each entry, in the order of the entries. */
function followsStrictly(entries: readonly FittedEntry[], calls: readonly MadeCall[]): boolean {
  let reached = new Set([0]);
  for (const { range, fitting } of inOrder(entries)) {
    const fits = new Set(fitting);
    const further = new Set<number>();
    for (const start of reached) {
      for (let end = start; end - start <= range.max; end++) {
        if (end - start >= range.min) further.add(end);
        if (!fits.has(end)) break;
      }
    }
    reached = further;
  }
  return reached.has(calls.length);
}
