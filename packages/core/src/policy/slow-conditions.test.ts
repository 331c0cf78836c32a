import type { InputPattern, RememberedAnswer } from "@bridle/protocol";
import { describe, expect, test } from "vitest";
import { evaluatePolicy } from "./evaluate-policy.ts";
import { createPolicy, type PolicyRules } from "./policy-rules.ts";

/** Expressions that take years, or minutes for a text of this length, when the engine backtracks. */
const catastrophic: [source: string, text: string][] = [
  ["^(a+)+$", `${"a".repeat(60)}!`],
  ["^(a|aa)+$", `${"a".repeat(90)}!`],
  ["^(\\w+\\s?)*$", `${"word ".repeat(20)}${"a".repeat(60)}!`],
  ["(x+x+)+y", "x".repeat(80)],
  ["^(([a-z])+.)+[0-9]([a-z])+$", "a".repeat(80)],
  ["(.*)(.*)(.*)(.*)(.*)(.*)(.*)(.*)\\1!", "ab".repeat(200)],
];

const identity = { source: "the program" };

async function decide(rules: PolicyRules, text: string, remembered: readonly RememberedAnswer[] = []) {
  const call = {
    tool: "run",
    input: { text },
    annotations: { readOnly: true },
    builtin: false,
    callId: "call",
    runId: "run",
    identity,
  };
  const started = performance.now();
  const { decision, rule, reason } = await evaluatePolicy(createPolicy(rules), call, { read: async () => remembered });
  expect(performance.now() - started).toBeLessThan(10_000);
  return { decision, rule, reason };
}

const slow = (setting: string) => ({
  decision: "deny",
  rule: "policy-failed",
  reason: expect.stringMatching(`${setting} takes too long on this input. Write .* without nested repetition`),
});

describe("a call is denied soon if a condition takes too long", () => {
  test.each(catastrophic)("/%s/ of a rule", { timeout: 60_000 }, async (source, text) => {
    const when: InputPattern = { text: source };
    const rules: PolicyRules = { mode: "yolo", rules: [{ tool: "run", when, then: "allow" }] };
    expect(await decide(rules, text)).toEqual(slow("policy.rules.0.when.text"));
    expect((await decide({ rules: [{ tool: "run", when, then: "deny" }] }, "??")).decision).toBe("allow");
  });

  test("of a remembered answer", { timeout: 60_000 }, async () => {
    const [source, text] = catastrophic[0] ?? ["", ""];
    const about = {
      tool: "run",
      identity,
      when: { text: source },
      scope: "always",
      by: "ada",
      at: "2026-01-31",
    } as const;
    for (const decision of ["allow", "deny"] as const)
      expect(await decide({ mode: "yolo" }, text, [{ ...about, decision }])).toEqual(slow("when.text"));
    expect((await decide({}, text, [{ ...about, tool: "other", decision: "deny" }])).decision).toBe("allow");
  });
});

test("conditions may look ahead, look back and refer to groups, and are fast on a megabyte of text", async () => {
  const when: InputPattern = { text: "^(?!.*secret).*(?<=a)(b)\\1$" };
  const rules: PolicyRules = { mode: "normal", rules: [{ tool: "run", when, then: "deny" }] };
  expect((await decide(rules, `${"x".repeat(1_000_000)}abb`)).decision).toBe("deny");
  expect((await decide(rules, `secret${"x".repeat(1_000_000)}abb`)).decision).toBe("allow");
});
