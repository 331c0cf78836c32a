import { createMemoryBackend } from "@bridle/conformance";
import type { PolicyCall, ToolAnnotations } from "@bridle/protocol";
import { expect, test } from "vitest";
import { createTestTool } from "../runtime/runs-for-tests.ts";
import { createAgentRuntime } from "../runtime/runtime.ts";
import { createPolicy, type PolicyRules } from "./policy-rules.ts";

/** Returns the rule that applies to a call to a tool with these annotations, and the annotations that a policy gets. */
async function decide(annotations: ToolAnnotations | undefined, rules: PolicyRules) {
  const policy = createPolicy(rules);
  const seen: PolicyCall[] = [];
  let decided = "";
  const backend = createMemoryBackend([{ steps: [{ calls: [{ tool: "pay", input: {} }] }, { say: "So." }] }]);
  const runtime = createAgentRuntime({
    backend,
    models: { default: "m" },
    policy: {
      ...policy,
      async evaluate(call, remembered) {
        seen.push(call);
        const decision = await policy.evaluate(call, remembered);
        decided = `${decision.decision} by ${decision.rule}`;
        return decision;
      },
    },
  });
  const pay = createTestTool("pay", async () => "paid", annotations && { annotations });
  await runtime.runAgentLoop({ prompt: "Go", tools: [pay], stepBudget: 3 }).result;
  return { decided, seen: seen[0]?.annotations };
}

const anything = { readOnly: false, destructive: true, idempotent: false, openWorld: true };
const nothing = { readOnly: true, destructive: false, idempotent: false, openWorld: false };
const local = { destructive: false, openWorld: false };

test.each([
  ["no annotations", undefined, anything],
  ["empty annotations", {}, anything],
  ["only idempotent", { idempotent: true }, { ...anything, idempotent: true }],
  ["only a false readOnly", { readOnly: false }, anything],
  ["only readOnly", { readOnly: true }, nothing],
  ["only a false destructive", { destructive: false }, { ...anything, destructive: false }],
  ["the promise to stay on this machine", { openWorld: false }, { ...anything, openWorld: false }],
  ["reading elsewhere", { readOnly: true, openWorld: true }, { ...nothing, openWorld: true }],
])("a policy sees a tool with %s as it has to be assumed", async (_what, annotations, seen) => {
  expect((await decide(annotations, {})).seen).toEqual(seen);
});

test.each([
  ["normal", "ask by annotation:destructive", "ask by default", "allow by annotation:readOnly"],
  ["auto", "ask by annotation:destructive", "allow by mode:auto", "allow by mode:auto"],
  ["read-only", "deny by mode:read-only", "deny by mode:read-only", "allow by annotation:readOnly"],
  ["yolo", "allow by mode:yolo", "allow by mode:yolo", "allow by mode:yolo"],
] as const)(
  "mode %s takes a tool without annotations for destructive, and others for what they say",
  async (mode, unknown, plain, reading) => {
    const decisions = [undefined, local, { readOnly: true }].map((each) => decide(each, { mode }));
    expect((await Promise.all(decisions)).map(({ decided }) => decided)).toEqual([unknown, plain, reading]);
  },
);

test("annotations that deny apply in every mode, and to tools without annotations", async () => {
  for (const mode of ["normal", "auto", "ask", "yolo"] as const) {
    const rules: PolicyRules = { mode, annotations: { destructive: "deny" } };
    expect((await decide(undefined, rules)).decided).toBe("deny by annotation:destructive");
    expect((await decide(local, rules)).decided).not.toContain("deny");
  }
});
