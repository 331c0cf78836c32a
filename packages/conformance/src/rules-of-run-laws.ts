import type { Approval, Policy, PolicyCall } from "@bridle/protocol";
import { expect } from "vitest";
import type { Behaviour } from "./harness.ts";
import { call, echo } from "./tools-for-tests.ts";

export function rulesOfRunLaws(behaviour: Behaviour): void {
  behaviour("know the session, run, call and labels, and so does the person of one run who is asked", async (start) => {
    const { runtime } = await start([{ steps: [{ calls: [call("a")] }, { say: "done" }] }], {
      approve: () => ({ decision: "deny" }),
    });
    const calls: PolicyCall[] = [];
    const asked: Approval[] = [];
    const policy: Policy = {
      id: "asks",
      evaluate(each) {
        calls.push(each);
        return { decision: "ask", rule: "asks" };
      },
    };
    const session = await runtime.openSession({ tools: [echo("a")], stepBudget: 3, policy, labels: { team: "red" } });
    const run = await session.send("go", {
      labels: { user: "ann" },
      approve(approval) {
        asked.push(approval);
        return { decision: "allow" };
      },
    });
    expect(await run.result).toMatchObject({ stopReason: "natural", toolFailures: 0 });
    const callId = asked[0]?.callId;
    const known = { runId: run.id, sessionId: session.id, callId, labels: { team: "red", user: "ann" } };
    expect(calls).toMatchObject([known]);
    expect(asked).toMatchObject([known]);
  });
}
