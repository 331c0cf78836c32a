import { createPolicy } from "@bridle/core";
import { resolveAnnotations } from "@bridle/protocol";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Rules } from "./rule-schemas.ts";
import { areAtLeastAsStrict } from "./stricter-rules.ts";

const rule = (then: "allow" | "ask" | "deny", path?: string) => ({
  tool: "t",
  ...(path !== undefined && { when: { path } }),
  then,
});

test.each<[string, Rules | undefined, Rules | undefined, boolean]>([
  ["the same rules", { rules: [rule("ask")] }, { rules: [rule("ask")] }, true],
  ["a question becomes a denial", { rules: [rule("ask")] }, { rules: [rule("deny")] }, true],
  ["a denial comes first", { rules: [rule("ask")] }, { rules: [rule("deny", "a"), rule("ask")] }, true],
  ["a permission goes", { rules: [rule("allow"), rule("ask")] }, { rules: [rule("ask")] }, true],
  ["rules come for a project without any", undefined, { rules: [rule("deny")] }, true],
  ["a tool is disabled", {}, { disable: ["t"] }, true],
  ["a denial goes", { rules: [rule("deny")] }, {}, false],
  ["a question before a denial", { rules: [rule("deny")] }, { rules: [rule("ask", "a"), rule("deny")] }, false],
  ["a permission comes", {}, { rules: [rule("allow")] }, false],
  ["a condition becomes narrower", { rules: [rule("deny", "a")] }, { rules: [rule("deny", "ab")] }, false],
  ["another order", { rules: [rule("deny", "a"), rule("ask")] }, { rules: [rule("ask"), rule("deny", "a")] }, false],
  ["a tool is enabled", { disable: ["t"] }, {}, false],
  ["a mode that asks less", { mode: "normal" }, { mode: "auto" }, false],
  ["somebody is asked instead of a denial", { mode: "dontAsk" }, { mode: "normal" }, false],
  ["an annotation is allowed", {}, { annotations: { destructive: "allow" } }, false],
  ["no rules any more", { rules: [rule("ask")] }, undefined, false],
  ["permissions come for a project without rules", undefined, { mode: "yolo" }, false],
])("%s", (_what, before, after, expected) => {
  expect(areAtLeastAsStrict(after, before)).toBe(expected);
});

const verdict = fc.constantFrom("allow" as const, "ask" as const, "deny" as const);
const someRules: fc.Arbitrary<Rules> = fc.record({
  mode: fc.constantFrom(
    "read-only" as const,
    "ask" as const,
    "normal" as const,
    "auto" as const,
    "yolo" as const,
    "dontAsk" as const,
  ),
  disable: fc.constantFrom([], ["t"]),
  rules: fc.array(
    fc.record({
      tool: fc.constant("t"),
      when: fc.constantFrom({ path: "a" }, { path: "b" }, { path: "." }),
      then: verdict,
    }),
    { maxLength: 3 },
  ),
  annotations: fc.record({ readOnly: verdict, destructive: verdict, openWorld: verdict }, { requiredKeys: [] }),
});
const order = ["allow", "ask", "deny"];

test("for all rules, those that count as strict as others let no call run that these do not", async () => {
  let counted = 0;
  await fc.assert(
    fc.asyncProperty(
      someRules,
      someRules,
      fc.constantFrom("a", "b", "ab", "c"),
      fc.constantFrom({}, { readOnly: true }, { destructive: true }, { destructive: false, openWorld: false }),
      async (before, given, path, annotations) => {
        for (const after of [
          given,
          { ...before, rules: [...(given.rules ?? []), ...(before.rules ?? [])] },
          { ...before, ...(given.disable && { disable: given.disable }) },
        ]) {
          if (!areAtLeastAsStrict(after, before)) continue;
          counted++;
          const call = {
            tool: "t",
            input: { path },
            annotations: resolveAnnotations(annotations),
            builtin: false,
            callId: "c",
            runId: "r",
          };
          const [was, is] = [
            await createPolicy(before).evaluate(call, []),
            await createPolicy(after).evaluate(call, []),
          ];
          expect(order.indexOf(is.decision)).toBeGreaterThanOrEqual(order.indexOf(was.decision));
        }
      },
    ),
    { numRuns: 2000 },
  );
  expect(counted).toBeGreaterThan(100);
});
