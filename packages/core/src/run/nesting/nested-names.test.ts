/** Tests tool names in runs that call other runs. */
import { expect, test } from "vitest";
import { createPolicy } from "../../policy/policy-rules.ts";
import { begin, createTestTool } from "../../runtime/runs-for-tests.ts";
import { agentOn, callsThenAnswers, hostThat } from "./nested-runs-for-tests.ts";

test("a rule names the tool of a nested agent as its model does", async () => {
  const look = createTestTool("my.look", async () => "seen");
  const helper = agentOn(
    "helper",
    hostThat(callsThenAnswers(["my_look"])),
    { tools: [look] },
    { parts: { nestedTools: ["my.look"] } },
  );
  const policy = createPolicy({ mode: "yolo", rules: [{ tool: "my_look", then: "deny" }] });
  const run = begin(hostThat(callsThenAnswers(["helper"])), { tools: [helper], policy });
  expect(await run.result).toMatchObject({ stopReason: "natural", nested: { runs: 1, toolCalls: 1 } });
});
