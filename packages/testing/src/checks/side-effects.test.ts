import { createPolicy } from "@bridle/core";
import type { Policy, ToolAnnotations } from "@bridle/protocol";
import { expect, test } from "vitest";
import { withoutSideEffects, withSideEffects } from "./side-effects.ts";

const decide = (policy: Policy, annotations: ToolAnnotations, builtin = false) =>
  policy.evaluate({ tool: "refund", input: {}, annotations, builtin, callId: "call", runId: "run" }, []);

test("a destructive call is denied with a reason for the model and a remedy for the user", () => {
  const reason = expect.stringContaining("--allow-side-effects");
  expect(decide(withoutSideEffects(), { destructive: true })).toEqual({
    decision: "deny",
    rule: "side-effects",
    reason,
  });
  expect(decide(withoutSideEffects(), { destructive: true, openWorld: true }, true)).toMatchObject({
    decision: "deny",
  });
  expect(decide(withoutSideEffects(createPolicy({ mode: "yolo" })), { destructive: true })).toMatchObject({
    rule: "side-effects",
  });
});

test("other calls follow the rules, and without rules tools of the request may run", () => {
  expect(decide(withoutSideEffects(), {})).toMatchObject({ decision: "allow" });
  expect(decide(withoutSideEffects(createPolicy()), {})).toEqual({ decision: "ask", rule: "default" });
  const denies = createPolicy({ rules: [{ tool: "refund", then: "deny" }], disable: ["wipe"] });
  expect(decide(withoutSideEffects(denies), { readOnly: true })).toMatchObject({ decision: "deny" });
  expect(withoutSideEffects(denies).disabled).toEqual(["wipe"]);
  expect(() => withoutSideEffects(denies).checkNames?.(["refunds"])).toThrow('names the tool "wipe"');
});

test("with consent, questions about effects are answered with yes, and every other decision stays", async () => {
  expect(await decide(withSideEffects(createPolicy()), { destructive: true })).toMatchObject({ decision: "allow" });
  expect(await decide(withSideEffects(createPolicy()), {})).toMatchObject({ decision: "allow" });
  expect(await decide(withSideEffects(createPolicy({ mode: "ask" })), {})).toMatchObject({ decision: "ask" });
  const asks = createPolicy({ rules: [{ tool: "refund", then: "ask" }] });
  expect(await decide(withSideEffects(asks), { destructive: true })).toMatchObject({ decision: "ask" });
  const denies = createPolicy({ mode: "dontAsk" });
  expect(await decide(withSideEffects(denies), { destructive: true })).toMatchObject({ decision: "deny" });
});

test("other rules have another id", () => {
  const ids = [
    withoutSideEffects(),
    withoutSideEffects(createPolicy()),
    withSideEffects(createPolicy()),
    createPolicy(),
  ].map(({ id }) => id);
  expect(new Set(ids).size).toBe(4);
  expect(withoutSideEffects().id).toBe(ids[0]);
});
