import { createPolicy, type PolicyRules, policyModeNames } from "@bridle/core";
import { resolveAnnotations } from "@bridle/protocol";
import fc from "fast-check";
import { expect, test } from "vitest";
import { orderRules } from "./rule-order.ts";
import type { Rules } from "./rule-schemas.ts";

const decision = fc.constantFrom("allow", "ask", "deny");
const tools = ["a", "b", "c"];
const rules: fc.Arbitrary<Rules> = fc.record(
  {
    mode: fc.constantFrom(...policyModeNames),
    disable: fc.uniqueArray(fc.constantFrom(...tools), { maxLength: 1 }),
    rules: fc.array(fc.record({ tool: fc.constantFrom(...tools), then: decision }), { maxLength: 4 }),
    annotations: fc.record({ readOnly: decision, destructive: decision, openWorld: decision }, { requiredKeys: [] }),
  },
  { requiredKeys: [] },
);
const annotations = fc.record({ readOnly: fc.boolean(), destructive: fc.boolean(), openWorld: fc.boolean() });

test("the first of the listed rules that is about a call decides as the policy does", async () => {
  await fc.assert(
    fc.asyncProperty(rules, fc.constantFrom(...tools), annotations, async (given, tool, declared) => {
      const call = { tool, input: {}, annotations: resolveAnnotations(declared), builtin: false };
      const decided = await createPolicy(given as PolicyRules).evaluate({ ...call, callId: "c", runId: "r" }, []);
      const isAbout = (subject: string) => {
        const named = /^tools that are (not )?(\w+)$/.exec(subject);
        if (named === null) return subject === tool || subject.startsWith("all ");
        return declared[named[2] as keyof typeof declared] === (named[1] === undefined);
      };
      const first = orderRules(given).find(({ subject }) => isAbout(subject));
      expect(first?.decision).toBe(decided.decision);
    }),
    { numRuns: 500 },
  );
});
