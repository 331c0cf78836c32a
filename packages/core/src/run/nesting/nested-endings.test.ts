/** How runs and the runs that they start end each other. */
import type { AgentRun, RunEvent } from "@bridle/protocol";
import { expect, test } from "vitest";
import { createPolicy } from "../../policy/policy-rules.ts";
import { begin, createTestTool } from "../../runtime/runs-for-tests.ts";
import { agentOn, callsThenAnswers, eventsOf, hostThat } from "./nested-runs-for-tests.ts";

const look = createTestTool("look", async () => "seen");
const asksToLook = createPolicy({ rules: [{ tool: "look", then: "ask" }] });
const linksIn = (events: readonly RunEvent[]) => events.map(({ type }) => type).filter((type) => type.startsWith("nested."));

test("deny-and-stop at the third level ends the runs of all levels", async () => {
  const runs: AgentRun[] = [];
  const request = { tools: [look], policy: asksToLook };
  const third = agentOn("third", hostThat(callsThenAnswers(["look"])), request, { runs });
  const second = agentOn("second", hostThat(callsThenAnswers(["third"])), { tools: [third] }, { runs });
  const approve = () => ({ decision: "deny-and-stop", message: "enough" }) as const;
  const first = begin(hostThat(callsThenAnswers(["second"])), { tools: [second] }, { approve });
  expect(await first.result).toMatchObject({ stopReason: "stopped", error: { by: "person" } });
  expect(runs).toHaveLength(2);
  for (const each of runs) expect(await each.result).toMatchObject({ error: { by: "person" } });
});

test("a nested run that ends before it begins has no link in the log of its caller", async () => {
  const starts = createTestTool("starts", async (_input, { call }) => {
    const nested = begin(hostThat(callsThenAnswers([])), { parent: call });
    nested.stop();
    return (await nested.result).stopReason;
  });
  const events = await eventsOf(begin(hostThat(callsThenAnswers(["starts"])), { tools: [starts] }));
  expect(linksIn(events)).toEqual([]);
  expect(events.at(-1)).toMatchObject({ result: { stopReason: "natural", nested: { runs: 1 } } });
});
