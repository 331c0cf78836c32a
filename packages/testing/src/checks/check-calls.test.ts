import { expect, test } from "vitest";
import type { Call } from "../result/call.ts";
import { type CallsToCheck, checkCalls, unknownTools } from "./check-calls.ts";

const known = ["lookup_order", "refund", "Bash"];

const call = (tool: string, more: Partial<Call> = {}): Call => ({
  ...{
    kind: "call",
    callId: "c1",
    tool,
    input: {},
    state: "succeeded",
    output: "ok",
    rule: "allow-all",
    step: 1,
    durationMs: 1,
  },
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
  expect(unknownTools([{ name: "first", config: { turns } }], known)).toEqual([
    'The case "first" will fail: expected_tools names "sleep", but the agent has no such tool. It has lookup_order, refund, Bash. Correct the name.',
  ]);
  const second = { name: "second", config: { input: "a", expected_tools: ["my.tool"] } };
  expect(unknownTools([second], [])).toMatchObject([expect.stringContaining("It has no tools. Correct the name.")]);
  expect(unknownTools([second], ["my_tool"])).toEqual([]);
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
      ...{ turn: 2, expected: null, received: "refund { cents: 5 }", code: null },
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
