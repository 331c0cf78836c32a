import { expect, test } from "vitest";
import type { Call } from "../result/call.ts";
import { type CallsToCheck, checkCalls, impossibleCalls, type KnownTools } from "./check-calls.ts";

const known: KnownTools = new Map([
  ["lookup_order", { type: "object", properties: { id: { type: "string" } } }],
  ["refund", { type: "object", properties: { cents: { type: "integer" } } }],
  ["Bash", null],
]);

const call = (tool: string, more: Partial<Call> = {}): Call => ({
  kind: "call",
  callId: "c1",
  tool,
  input: {},
  state: "succeeded",
  output: "ok",
  rule: "allow-all",
  step: 1,
  durationMs: 1,
  ...more,
});

const check = (expected: CallsToCheck["expected"], calls: readonly Call[]) =>
  checkCalls({ expected, calls, known, turn: 2 });

test("expected calls are no failure", () => {
  expect(
    check(
      ["lookup_order", { name: "refund", args: { cents: 5 } }],
      [call("lookup_order"), call("refund", { input: { cents: 5 } })],
    ),
  ).toEqual({
    expectations: [
      { expected: "lookup_order", ok: true, message: null },
      { expected: "refund { cents: 5 }", ok: true, message: null },
    ],
    failures: [],
  });
});

test("a missing call is a failure of its turn that lists the calls", () => {
  const { expectations, failures } = check(["refund"], [call("lookup_order")]);
  const message = "refund was not called. Called: lookup_order.";
  expect(expectations).toEqual([{ expected: "refund", ok: false, message }]);
  expect(failures).toEqual([
    { kind: "expected-tools", message, turn: 2, expected: "refund", received: "lookup_order", code: null },
  ]);
});

test("an unknown tool is a failure with the nearest name", () => {
  const { failures } = check(["lookup_orders"], []);
  expect(failures).toMatchObject([
    {
      kind: "unknown-tool",
      message: 'expected_tools names "lookup_orders", but the agent has no such tool. Did you mean "lookup_order"?',
      received: "no call",
    },
  ]);
});

test("a tool that must not be called has to be a tool of the agent, too", () => {
  expect(check([{ name: "delete", count: 0 }], []).failures).toMatchObject([{ kind: "unknown-tool" }]);
});

test("unknown tools are warnings before anything runs, one for each case", () => {
  const turns = [
    { input: "a", expected_tools: ["refund", "sleep"] },
    { input: "b", expected_tools: [{ name: "sleep" }] },
  ];
  expect(impossibleCalls([{ name: "first", config: { turns } }], known)).toEqual([
    'The case "first" will fail: expected_tools names "sleep", but the agent has no such tool. It has lookup_order, refund, Bash. Correct the name.',
  ]);
  const second = { name: "second", config: { input: "a", expected_tools: ["my.tool"] } };
  expect(impossibleCalls([second], new Map())).toMatchObject([
    expect.stringContaining("It has no tools. Correct the name."),
  ]);
  expect(impossibleCalls([second], new Map([["my_tool", null]]))).toEqual([]);
});

test("a misspelt argument fails, even if no such call is expected", () => {
  const message =
    'expected_tools names a call of refund that is not possible: the argument cent does not exist. Did you mean "cents"?';
  for (const entry of [
    { name: "refund", args: { cent: 5 }, count: 0 },
    { name: "refund", args: { cent: 5 }, at_most: 1 },
    { name: "refund", args: { cent: 5 } },
  ]) {
    expect(check([entry], []).failures).toMatchObject([{ kind: "unknown-argument", message }]);
  }
  expect(check([{ name: "refund", args: { cents: 5 }, count: 0 }], []).failures).toEqual([]);
  const config = { input: "a", expected_tools: [{ name: "refund", args: { cent: 5 }, count: 0 }] };
  expect(impossibleCalls([{ name: "first", config }], known)).toEqual([`The case "first" will fail: ${message}`]);
});

test("arguments whose names are not known may not be forbidden or limited, because a misspelt name would pass", () => {
  const open: KnownTools = new Map([...known, ["open", { type: "object" }], ["any", { anyOf: [{ type: "object" }] }]]);
  const failures = (entry: object, calls: readonly Call[] = []) =>
    checkCalls({ expected: [entry as never], calls, known: open, turn: 1 }).failures;
  for (const name of ["Bash", "open"]) {
    for (const range of [{ count: 0 }, { at_most: 1 }]) {
      const [failure, ...others] = failures({ name, args: { comand: "rm" }, ...range });
      expect(others).toEqual([]);
      expect(failure).toMatchObject({ kind: "unknown-argument" });
      const key = "count" in range ? "count: 0" : "at_most";
      expect(failure?.message).toBe(
        `expected_tools has args (comand) for ${name} together with ${key}, but the names of its arguments are not known, so a misspelt name would pass. Leave args out, or use a grader that looks at the calls.`,
      );
    }
    expect(failures({ name, count: 0 })).toEqual([]);
    expect(failures({ name, args: { a: 1 } }, [call(name, { input: { a: 1 } })])).toEqual([]);
    expect(failures({ name, args: { a: 1 }, at_least: 1, at_most: 2 }, [call(name, { input: { a: 1 } })])).toEqual([]);
  }
});

test("a tool that must not be called may not be tried with invalid arguments", () => {
  const tried = call("refund", { state: "denied", rule: "input-schema", input: { cents: "all" } });
  const never = [{ name: "refund", count: 0 }];
  expect(check(never, [tried]).failures).toMatchObject([{ kind: "expected-tools" }]);
  expect(check(never, [call("lookup_order")]).failures).toEqual([]);
});

test("none expects no call at all", () => {
  expect(check("none", [])).toEqual({
    expectations: [{ expected: "no call", ok: true, message: null }],
    failures: [],
  });
  expect(check("none", [call("lookup_order", { input: { id: "A" } })]).failures).toMatchObject([
    { kind: "expected-tools", message: 'No call was expected: lookup_order { id: "A" }.', expected: "no call" },
  ]);
});

test("a mode adds an expectation about all calls", () => {
  const calls = [call("refund"), call("lookup_order")];
  const expected = ["lookup_order", "refund"];
  const outcome = (mode: CallsToCheck["mode"]) => checkCalls({ expected, mode, calls, known, turn: 1 });
  expect(outcome("superset").expectations).toHaveLength(2);
  expect(outcome("unordered").failures).toEqual([]);
  expect(outcome("sequence").failures).toMatchObject([
    { kind: "expected-tools", expected: "this order", message: expect.stringContaining("do not follow the expected") },
  ]);
});

const refused = call("refund", {
  state: "denied",
  rule: "side-effects",
  output: "This call was not allowed.",
  input: { cents: 5 },
});

test("a denied call is a failure with its rule and the text for the model", () => {
  expect(check([], [refused]).failures).toEqual([
    {
      kind: "tool-denied",
      message:
        "A call of refund was denied by side-effects. Allow it, or expect it with { name: refund, outcome: denied }. The model received: This call was not allowed.",
      turn: 2,
      expected: null,
      received: "refund { cents: 5 }",
      code: null,
    },
  ]);
});

test("an expected denial is no failure, and others are", () => {
  expect(check([{ name: "refund", outcome: "denied" }], [refused]).failures).toEqual([]);
  const other = { ...refused, input: { cents: 6 } };
  const expected = { name: "refund", args: { cents: 5 }, outcome: "denied" as const };
  expect(check([expected], [refused, other]).failures).toMatchObject([
    { kind: "tool-denied", received: "refund { cents: 6 }" },
  ]);
});

test("a call with invalid input is neither a denial nor a call", () => {
  const wrong = call("refund", { state: "denied", rule: "input-schema" });
  expect(check([], [wrong]).failures).toEqual([]);
  expect(check(["refund"], [wrong]).failures).toMatchObject([{ kind: "expected-tools" }]);
  expect(check([{ name: "refund", outcome: "denied" }], [wrong]).failures).toMatchObject([{ kind: "expected-tools" }]);
});
