/** Tests remembered answers in runs that call other runs. */
import type { ApprovalAnswer, Approver } from "@bridle/protocol";
import { expect, test, vi } from "vitest";
import { createMemoryPermissions } from "../../approvals/memory-permissions.ts";
import { createPolicy } from "../../policy/policy-rules.ts";
import { begin, createTestTool } from "../../runtime/runs-for-tests.ts";
import { agentOn, callsThenAnswers, hostThat } from "./nested-runs-for-tests.ts";

const always: ApprovalAnswer = { decision: "allow", scope: "always" };
const look = createTestTool("look", async () => "seen");
const asksToLook = createPolicy({ rules: [{ tool: "look", then: "ask" }] });
const looks = () => hostThat(callsThenAnswers(["look"]));
const callsHelper = () => hostThat(callsThenAnswers(["helper"]));
const inHelper = { parts: { nestedTools: ["look"] } };

test("what was allowed for the nested agent does not answer the question of its caller", async () => {
  const permissions = createMemoryPermissions();
  await begin(looks(), { tools: [look], policy: asksToLook }, { permissions, approve: () => always }).result;
  expect(await permissions.read()).toMatchObject([{ tool: "look", decision: "allow", scope: "always" }]);
  const approve = vi.fn<Approver>(() => ({ decision: "allow" }));
  const request = { tools: [look], policy: asksToLook };
  const helper = agentOn("helper", looks(), request, { ...inHelper, permissions });
  await begin(callsHelper(), { tools: [helper], policy: asksToLook }, { approve }).result;
  expect(approve).toHaveBeenCalledOnce();
  await begin(callsHelper(), { tools: [helper] }, { approve }).result; // the caller has no rules: only the agent's rules ask
  expect(approve).toHaveBeenCalledOnce();
});

test("an answer that lasts is remembered for the caller, and not for the nested agent", async () => {
  const [ofAgent, ofCaller] = [createMemoryPermissions(), createMemoryPermissions()];
  const approve = vi.fn<Approver>(() => always);
  const helper = agentOn(
    "helper",
    looks(),
    { tools: [look], policy: asksToLook },
    { ...inHelper, permissions: ofAgent },
  );
  for (const _ of [1, 2]) {
    await begin(callsHelper(), { tools: [helper], policy: asksToLook }, { approve, permissions: ofCaller }).result;
  }
  expect(approve).toHaveBeenCalledOnce();
  expect(await ofCaller.read()).toMatchObject([{ tool: "look", scope: "always" }]);
  expect(await ofAgent.read()).toEqual([]);
});
