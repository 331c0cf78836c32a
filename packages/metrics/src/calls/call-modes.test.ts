import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type CallMode, callModes } from "./call-modes.ts";
import type { ExpectedCall, MadeCall } from "./expected-call.ts";
import { matchCalls, matchMode } from "./match-calls.ts";

const call = (tool: string, state: MadeCall["state"] = "succeeded"): MadeCall => ({ tool, input: {}, state });
const calls = (tools: string): MadeCall[] => [...tools].map((tool) => call(tool));
const entries = (tools: string): ExpectedCall[] => [...tools].map((name) => ({ name }));

/** Whether the calls match the expectations, both one by one and all together. */
function fits(expected: readonly ExpectedCall[], made: readonly MadeCall[], mode: CallMode): boolean {
  const single = matchCalls(expected, made, mode).every(({ ok }) => ok);
  return single && (matchMode(expected, made, mode)?.ok ?? true);
}

describe("expected calls and made calls fit in these modes", () => {
  const rows: readonly [expected: string, made: string, modes: readonly CallMode[]][] = [
    ["ab", "ab", ["superset", "sequence", "unordered", "strict", "subset"]],
    ["ab", "ba", ["superset", "unordered", "subset"]],
    ["ab", "acb", ["superset", "sequence"]],
    ["ab", "bca", ["superset"]],
    ["ab", "a", ["subset"]],
    ["ab", "", ["subset"]],
    ["ab", "aab", ["superset", "sequence"]],
    ["aba", "aba", ["superset", "sequence", "unordered", "strict", "subset"]],
    ["aba", "aab", ["superset", "unordered", "subset"]],
    ["aba", "ab", ["superset", "subset"]],
    ["ab", "c", []],
    ["", "", ["superset", "sequence", "unordered", "strict", "subset"]],
    ["", "a", ["superset", "sequence"]],
  ];
  test.each(rows)("%j and %j", (expected, made, modes) => {
    expect(callModes.filter((mode) => fits(entries(expected), calls(made), mode))).toEqual(modes);
  });
});

describe("numbers of calls and the modes", () => {
  const some: ExpectedCall[] = [{ name: "a", atLeast: 1 }, { name: "b" }];
  test("a number allows several calls for one entry", () => {
    expect(fits(some, calls("aaab"), "strict")).toBe(true);
    expect(fits(some, calls("aaba"), "strict")).toBe(false);
    expect(fits(some, calls("aaba"), "unordered")).toBe(true);
    expect(fits(some, calls("b"), "unordered")).toBe(false);
    expect(fits([{ name: "a", count: 2 }, { name: "b" }], calls("aab"), "strict")).toBe(true);
    expect(fits([{ name: "a", count: 2 }, { name: "b" }], calls("ab"), "strict")).toBe(false);
    expect(fits([{ name: "a", atMost: 2 }, { name: "b" }], calls("b"), "strict")).toBe(true);
    expect(fits([{ name: "a", atMost: 2 }, { name: "b" }], calls("aaab"), "strict")).toBe(false);
  });

  test("an entry that forbids calls has no place in the order", () => {
    const expected = [{ name: "a" }, { name: "x", count: 0 }, { name: "b" }];
    for (const mode of callModes) expect(fits(expected, calls("ab"), mode), mode).toBe(true);
    for (const mode of callModes) expect(fits(expected, calls("axb"), mode), mode).toBe(false);
  });

  test("entries with arguments share calls in the best way", () => {
    const expected = [{ name: "a" }, { name: "a", args: { id: 1 } }];
    const made = [{ ...call("a"), input: { id: 1 } }, call("a")];
    expect(fits(expected, made, "unordered")).toBe(true);
    expect(fits(expected, made, "strict")).toBe(false);
  });
});

test.each(["failed", "denied", "invalid", "unfinished"] as const)(
  "a further call is another call even if it was %s",
  (state) => {
    const made = [call("a"), call("b", state)];
    for (const mode of ["unordered", "strict", "subset"] as const) expect(fits(entries("a"), made, mode)).toBe(false);
    expect(fits(entries("a"), made, "superset")).toBe(true);
  },
);

test("a failure names the other calls, or the order that was made and the one expected", () => {
  expect(matchMode(entries("a"), calls("abc"), "unordered")).toEqual({
    expected: "no other calls",
    ok: false,
    message: "Other calls were made than expected: b {}, c {}.",
  });
  expect(matchMode([], [call("b", "failed")], "strict")).toEqual({
    expected: "no call",
    ok: false,
    message: "No call was expected: b {} (failed).",
  });
  expect(matchMode(entries("ab"), calls("ba"), "sequence")).toEqual({
    expected: "this order",
    ok: false,
    message: "The calls do not follow the expected order: b {}, a {}. Expected: a, b.",
  });
  expect(matchMode(entries("ab"), calls("ab"), "superset")).toBeUndefined();
});

test("strict implies every other mode, and unordered does not depend on the order of calls", () => {
  const tools = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 5 });
  fc.assert(
    fc.property(tools, tools, (expected, made) => {
      const met = callModes.filter((mode) => fits(entries(expected), calls(made), mode));
      if (expected === made) expect(met).toEqual([...callModes]);
      if (met.includes("strict")) expect(expected).toBe(made);
      expect(met.includes("unordered")).toBe([...expected].sort().join() === [...made].sort().join());
      expect(fits(entries(expected), calls(made).toReversed(), "unordered")).toBe(met.includes("unordered"));
    }),
  );
});
