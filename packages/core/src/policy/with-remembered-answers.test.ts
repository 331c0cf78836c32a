import { type Policy, type PolicyCall, type RememberedAnswer, resolveAnnotations } from "@bridle/protocol";
import { expect, test } from "vitest";
import { withRememberedAnswers } from "./with-remembered-answers.ts";

const call: PolicyCall = {
  tool: "write",
  input: { path: "a" },
  annotations: resolveAnnotations({}),
  builtin: false,
  callId: "call",
  runId: "run",
};
const answer = (decision: "allow" | "deny", when?: Record<string, string>): RememberedAnswer => ({
  tool: "write",
  decision,
  scope: "session",
  by: "Ann",
  at: "2026-01-01T00:00:00.000Z",
  ...(when && { when }),
});
const deciding = (decision: Awaited<ReturnType<Policy["evaluate"]>>) =>
  withRememberedAnswers({ id: "own", evaluate: () => decision });
const ask = { decision: "ask", rule: "own" } as const;

test.for([
  ["a permission answers what the policy asks", ask, [answer("allow")], "allow"],
  ["a permission for other inputs leaves the question", ask, [answer("allow", { path: "b" })], "ask"],
  ["a permission does not answer what is asked every time", { ...ask, everyTime: true }, [answer("allow")], "ask"],
  ["a permission does not change a denial", { ...ask, decision: "deny" }, [answer("allow")], "deny"],
  ["a remembered denial applies to what the policy allows", { ...ask, decision: "allow" }, [answer("deny")], "deny"],
] as const)("with remembered answers, %s", async ([_title, given, remembered, expected]) => {
  expect(await deciding(given).evaluate(call, remembered)).toMatchObject({ decision: expected });
});
