import { expect, test } from "vitest";
import { problemOf, toEditedLine, toRuleLine, withLines } from "./edited-rules.ts";

test("a rule is the same after it was shown in the form", () => {
  const rule = { tool: "refund", when: { amount: "^\\d{1,2}$", "order.note": "a: b" }, then: "ask" as const };
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
  expect(problemOf({ key: 1, tool: "refund", when: "amount 1", then: "ask" })).toMatch(/"amount 1"/);
  expect(problemOf({ key: 1, tool: "refund", when: "amount: 1\n", then: "ask" })).toBeUndefined();
});
