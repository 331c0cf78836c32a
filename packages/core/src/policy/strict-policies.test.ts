/** Tests that a program's policy is checked like that in `bridle.yaml`, in plain JavaScript too. */
import { ConfigError } from "@bridle/protocol";
import { expect, test } from "vitest";
import { createPolicy, type PolicyRules } from "./policy-rules.ts";

/** Creates a policy as a program without types does. */
const fromJavaScript = (rules: object) => createPolicy(rules as PolicyRules);

test.each<[what: string, rules: object, message: string]>([
  [
    "a misspelt decision",
    { rules: [{ tool: "wipe", then: "dney" }] },
    'rules.0.then is "dney", but must be one of allow, ask, deny. Did you mean "deny"?',
  ],
  [
    "a misspelt then",
    { rules: [{ tool: "wipe", them: "deny" }] },
    'unknown key "them" in rules.0. Did you mean "then"?',
  ],
  ["a rule without a decision", { rules: [{ tool: "wipe" }] }, "rules.0.then is missing"],
  ["a misspelt tool", { rules: [{ tol: "wipe", then: "deny" }] }, 'unknown key "tol" in rules.0. Did you mean "tool"?'],
  ["a misspelt rules", { rule: [{ tool: "wipe", then: "deny" }] }, 'unknown key "rule". Did you mean "rules"?'],
  ["a misspelt disable", { disabled: ["wipe"] }, 'unknown key "disabled". Did you mean "disable"?'],
  [
    "a misspelt annotation",
    { annotations: { destructve: "deny" } },
    'unknown key "destructve" in annotations. Did you mean "destructive"?',
  ],
  [
    "a misspelt decision of an annotation",
    { annotations: { destructive: "denny" } },
    'annotations.destructive is "denny", but must be one of allow, ask, deny. Did you mean "deny"?',
  ],
  ["a misspelt mode", { mode: "yollo" }, 'There is no policy mode "yollo"'],
  ["a misspelt condition", { rules: [{ tool: "a", wehn: { x: "y" }, then: "allow" }] }, 'Did you mean "when"?'],
  ["a condition that is no text", { rules: [{ tool: "a", when: { x: /y/ }, then: "deny" }] }, "rules.0.when.x is"],
  ["a name instead of a list", { disable: "wipe" }, 'disable is "wipe", but must be a list.'],
  ["a misspelt unattended", { unatended: true }, 'unknown key "unatended". Did you mean "unattended"?'],
  ["null", { rules: null }, "rules is empty, but must be a list."],
])("createPolicy refuses %s with the nearest name", (_what, rules, message) => {
  expect(() => fromJavaScript({ mode: "yolo", ...rules })).toThrow(ConfigError);
  expect(() => fromJavaScript({ mode: "yolo", ...rules })).toThrow(message);
});

test("createPolicy accepts undefined wherever a key may be missing", () => {
  const rules = [{ tool: "a", when: undefined, then: "deny" }];
  const undefinedKeys = { mode: undefined, unattended: undefined, disable: undefined, positions: undefined };
  const policy = fromJavaScript({ ...undefinedKeys, rules, annotations: { readOnly: undefined } });
  expect(policy.id).toBe(createPolicy({ rules: [{ tool: "a", then: "deny" }] }).id);
});

test("an annotation that is undefined keeps its default", async () => {
  const policy = fromJavaScript({ annotations: { readOnly: undefined } });
  const annotations = { readOnly: true };
  const call = { tool: "a", input: {}, annotations, builtin: false, callId: "c", runId: "r" };
  expect(await policy.evaluate(call, [])).toEqual({ decision: "allow", rule: "annotation:readOnly" });
});
