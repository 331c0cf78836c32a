import { expect, test } from "vitest";
import { describeTurn, problemOf, toEditedLine, toRuleLine, toSavedRules, withLines } from "./edited-rules.ts";

test("a rule is the same after it was shown in the form", () => {
  const rule = {
    tool: "refund",
    when: { amount: "^\\d{1,2}$", "order.note": "a: b" },
    agents: ["desk"],
    then: "ask" as const,
  };
  expect(toRuleLine(toEditedLine(1, rule))).toEqual(rule);
  expect(toRuleLine(toEditedLine(1, { tool: "*", then: "deny" }))).toEqual({ tool: "*", then: "deny" });
});

test("a line without a tool is no rule, unless it has conditions, which is said", () => {
  expect(
    withLines({ mode: "ask", rules: [{ tool: "a", then: "deny" }] }, [{ key: 1, tool: " ", when: "", then: "ask" }]),
  ).toEqual({
    mode: "ask",
  });
  expect(problemOf({ key: 1, tool: "", when: "amount: 1", then: "ask" })).toMatch(/Name the tool/);
  expect(problemOf({ key: 1, tool: " ", when: "", then: "ask" })).toMatch(/Name the tool/);
  expect(problemOf({ key: 1, tool: "refund", when: "amount 1", then: "ask" })).toMatch(/"amount 1"/);
  expect(problemOf({ key: 1, tool: "refund", when: "amount: 1\n", then: "ask" })).toBeUndefined();
});

test("rules of which nothing is left are none, unless the file has an empty list of them", () => {
  const ruled = { rules: [{ tool: "refund", then: "deny" as const }] };
  expect([toSavedRules({}, ruled), toSavedRules({}, null), toSavedRules({}, {}), toSavedRules(ruled, null)]).toEqual([
    null,
    null,
    {},
    ruled,
  ]);
});

test("the first rule and the last one are said to change what happens to all other calls", () => {
  const ruled = { rules: [{ tool: "refund", then: "deny" as const }] };
  expect(describeTurn(null, ruled)).toMatch(/every tool could be called. The mode normal/);
  expect(describeTurn(null, { mode: "auto" })).toMatch(/mode auto/);
  expect(describeTurn(ruled, null)).toMatch(/^No rules are left/);
  expect([describeTurn(ruled, { mode: "ask" }), describeTurn(null, null)]).toEqual([undefined, undefined]);
});
