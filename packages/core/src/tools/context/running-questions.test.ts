/** Tests questions that running tools ask about a part of their work. */
import { ofType } from "@bridle/conformance";
import type { AgentRun, AnyTool, ApprovalAnswer, Approver, RunEvent, ToolContext, TurnContext } from "@bridle/protocol";
import { expect, test, vi } from "vitest";
import { createPolicy } from "../../policy/policy-rules.ts";
import { begin, createTestBackend, createTestTool, forever, natural, step } from "../../runtime/runs-for-tests.ts";

const allow: ApprovalAnswer = { decision: "allow" };
const action = { tool: "remove", input: {} };
const policy = createPolicy({ mode: "normal", rules: [{ tool: "remove", then: "ask" }] });
const readOnly: Partial<AnyTool> = { annotations: { readOnly: true }, nestedTools: ["remove"] };
const quiet: Approver = (_approval, signal) =>
  new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true }));

/** Creates a tool that asks before it works, and returns the decision. */
const asks = (parts: Partial<AnyTool> = {}) =>
  createTestTool("asks", async (_input, { authorize }) => JSON.stringify(await authorize?.(action)), {
    ...readOnly,
    ...parts,
  });

/** Starts a run that calls these tools, one after the other. */
function play(tools: readonly AnyTool[], approve: Approver, request: Parameters<typeof begin>[1] = {}): AgentRun {
  const turn = async (host: TurnContext) => {
    step(host);
    for (const { name } of tools) await host.callTool({ callId: `${name}-0`, tool: name, input: {} });
    if (host.signal.aborted) return natural;
    step(host, "done");
    return natural;
  };
  return begin(createTestBackend(turn), { tools: [...tools], policy, ...request }, { approve });
}

async function eventsOf(run: AgentRun): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  for await (const event of run) events.push(event);
  return events;
}

const outputs = (events: readonly RunEvent[]) => ofType(events, "tool.finished").map(({ output }) => output);

test("the time limit of a tool does not count while its own question is open", async () => {
  const slow: Approver = () => new Promise((resolve) => setTimeout(resolve, 400, allow));
  expect(outputs(await eventsOf(play([asks({ timeoutMs: 200 })], slow)))).toEqual(['{"allow":true}']);
});

test("a question of a call that returns before the answer is closed in the log, and for the person", async () => {
  const approve = vi.fn(quiet);
  const early = createTestTool(
    "early",
    async (_input, { authorize }) => {
      void authorize?.(action);
      await vi.waitFor(() => expect(approve).toHaveBeenCalled());
      return "gone";
    },
    readOnly,
  );
  const events = await eventsOf(play([early], approve));
  expect(ofType(events, "approval.decided")).toMatchObject([
    { callId: "early-0", decision: "deny", source: "run-ended" },
  ]);
  const types = events.map(({ type }) => type);
  expect(types.indexOf("approval.decided")).toBeLessThan(types.indexOf("tool.finished"));
  expect(approve.mock.calls[0]?.[1].aborted).toBe(true);
});

test("the time of a run counts again after a call that did not wait for its question", async () => {
  const early = createTestTool(
    "early",
    async (_input, { authorize }) => {
      void authorize?.(action);
      await new Promise((resolve) => setTimeout(resolve, 50));
      return "gone";
    },
    readOnly,
  );
  const hangs = createTestTool("hangs", () => forever, readOnly);
  const { error } = await play([early, hangs], quiet, { timeoutMs: 500 }).result;
  expect(error).toMatchObject({ code: "timeout" });
});

test("a question of a running call is closed once when its run ends", async () => {
  const approve = vi.fn(quiet);
  const run = play([asks()], approve);
  const reading = eventsOf(run);
  await vi.waitFor(() => expect(approve).toHaveBeenCalled());
  run.stop();
  const events = await reading;
  expect(ofType(events, "approval.decided")).toMatchObject([{ decision: "deny", source: "run-ended" }]);
  expect(events.at(-1)).toMatchObject({ type: "run.finished", result: { stopReason: "stopped" } });
});

test("deny-and-stop on a question of a running call ends the run", async () => {
  const { stopReason, error } = await play([asks()], () => ({ decision: "deny-and-stop", message: "Enough." })).result;
  expect([stopReason, error]).toMatchObject(["stopped", { by: "person", message: expect.stringContaining("Enough.") }]);
});

test("a call that is over may do nothing more, although a rule allows it", async () => {
  let authorize: ToolContext["authorize"];
  const keeps = createTestTool(
    "keeps",
    async (_input, context) => {
      authorize = context.authorize;
      return JSON.stringify(await authorize?.(action));
    },
    readOnly,
  );
  const later = createTestTool("later", async () => JSON.stringify(await authorize?.(action)), readOnly);
  const allowing = createPolicy({ rules: [{ tool: "remove", then: "allow" }] });
  const events = await eventsOf(play([keeps, later], quiet, { policy: allowing }));
  const refused = { allow: false, reply: "The call is over, so nothing more may be done for it." };
  expect(outputs(events)).toEqual(['{"allow":true}', JSON.stringify(refused)]);
  expect(await authorize?.(action)).toEqual(refused);
});

test("the question about a call and that about its work are two, although their inputs are equal", async () => {
  const approve = vi.fn<Approver>(() => allow);
  const both = createPolicy({ rules: ["asks", "remove"].map((tool) => ({ tool, then: "ask" })) });
  await play([asks()], approve, { policy: both }).result;
  const asked = approve.mock.calls.map(([{ tool, inputHash, attempt }]) => ({ tool, inputHash, attempt }));
  const { inputHash } = asked[0] ?? {};
  expect(asked).toEqual(["asks", "remove"].map((tool) => ({ tool, inputHash, attempt: 1 })));
  expect(new Set(approve.mock.calls.map(([{ id }]) => id)).size).toBe(2);
});
