import { ofType } from "@bridle/conformance";
import {
  type AnyTool,
  type Approval,
  type ApprovalAnswer,
  type Approver,
  buildTranscript,
  pendingApprovals,
  type RunEvent,
  sessionAnswers,
  type ToolReply,
  type TurnContext,
} from "@bridle/protocol";
import { describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { createPolicy, type PolicyRules } from "../policy/policy-rules.ts";
import {
  begin,
  createTestBackend,
  createTestTool,
  expectLaws,
  forever,
  natural,
  step,
} from "../runtime/runs-for-tests.ts";
import type { RuntimeOptions } from "../runtime/runtime.ts";
import { createApprovalQueue } from "./approval-queue.ts";
import { createMemoryPermissions } from "./memory-permissions.ts";

const input = z.object({ value: z.string().default("x") });
const tool = (execute: AnyTool["execute"] = async ({ value }) => `did ${value}`, parts: Partial<AnyTool> = {}) =>
  createTestTool("t", execute, { input, ...parts });
const allow: ApprovalAnswer = { decision: "allow" };

describe("a question", () => {
  test("contains the call, its rule and the preview of the tool", async () => {
    const approve = vi.fn<Approver>(() => allow);
    const preview = ({ value }: Record<string, unknown>) => `- old\n+ ${value}`;
    const { events } = await play([{ value: "new" }], { approve }, { tools: [tool(undefined, { preview })] });
    const [asked] = ofType(events, "approval.requested");
    expect(asked).toMatchObject({
      tool: "t",
      input: { value: "new" },
      rule: "annotation:destructive",
      preview: "- old\n+ new",
    });
    expect(asked?.inputHash).toBe(ofType(events, "tool.requested")[0]?.inputHash);
    expect(approve.mock.calls[0]?.[0]).toMatchObject({ id: asked?.approvalId, preview: "- old\n+ new", attempt: 1 });
    expect(kinds(events)).toEqual([
      "tool.requested",
      "tool.evaluated",
      "approval.requested",
      "approval.decided",
      "tool.started",
      "tool.finished",
    ]);
  });

  test("shows the error of a preview that fails", async () => {
    const preview = () => {
      throw new Error("no such file");
    };
    const { events } = await play([{}], { approve: () => allow }, { tools: [tool(undefined, { preview })] });
    expect(ofType(events, "approval.requested")[0]?.preview).toBe("(The preview failed: no such file)");
  });

  test("does not wait for an earlier question, and allowed calls run in their order", async () => {
    const order: unknown[] = [];
    const desk = createApprovalQueue();
    const execute = async ({ value }: Record<string, unknown>) => {
      order.push(value);
      return "ok";
    };
    const playing = play([{ value: "1" }, { value: "2" }], { approve: desk.approve }, { tools: [tool(execute)] });
    await vi.waitFor(() => expect(desk.pending).toHaveLength(2));
    for (const { id, inputHash } of desk.pending.toReversed()) desk.answer(id, { ...allow, inputHash });
    await playing;
    expect(order).toEqual(["1", "2"]);
  });

  test("is not asked without an approver: the call is denied, and the model gets the reason", async () => {
    const { replies, events } = await play([{}], {});
    expect(replies[0]?.output).toContain("nobody can be asked in this run");
    expect(kinds(events)).toEqual(["tool.requested", "tool.evaluated", "tool.denied"]);
    expect(ofType(events, "tool.evaluated")[0]).toMatchObject({ decision: "deny", rule: "annotation:destructive" });
  });

  test("pauses the timeout of the run", async () => {
    const slow = () => new Promise<ApprovalAnswer>((resolve) => setTimeout(resolve, 150, allow));
    const { result } = await play([{}], { approve: slow }, { timeoutMs: 100 });
    expect(result.stopReason).toBe("natural");
  });

  test("is also asked about a host tool", async () => {
    const asked: string[] = [];
    const approve = ({ tool }: Approval) => {
      asked.push(tool);
      return allow;
    };
    const admitted = await authorizeHostTool("Read", { approve });
    expect(asked).toEqual(["Read"]);
    expect(admitted).toEqual({ allow: true });
    const edited = await authorizeHostTool("Read", { approve: () => ({ ...allow, input: { path: "b" } }) });
    expect(edited).toMatchObject({
      allow: false,
      reply: expect.stringContaining('Call Read with exactly this input: {"path":"b"}'),
    });
  });
});

test("a host tool is evaluated by the annotations of the backend", async () => {
  const policy = createPolicy({ mode: "read-only" });
  expect(await authorizeHostTool("List", { policy })).toEqual({ allow: true });
  expect(await authorizeHostTool("Read", { policy })).toMatchObject({
    reply: expect.stringContaining("mode:read-only"),
  });
});

describe("an answer that", () => {
  const denials: Record<string, [Approver, source: string, told: string | RegExp]> = {
    "denies with a message to the model": [
      () => ({ decision: "deny", message: "Not on a Friday." }),
      "answer",
      /Friday/,
    ],
    "has an invalid form": [() => ({ decision: "sure" }) as never, "failed", "not valid"],
    "is thrown": [() => Promise.reject(new Error("line cut")), "failed", /line cut\. Do not/],
    "is about another input": [() => ({ ...allow, inputHash: "0" }), "failed", "another input"],
    "has an invalid pattern": [() => ({ ...allow, scope: "session", when: { a: "(" } }), "failed", "regular"],
    "does not arrive in time": [() => forever, "timeout", "Nobody answered within 0.03 s"],
  };
  for (const [title, [approve, source, told]] of Object.entries(denials)) {
    test(`${title} denies the call, and the run continues`, async () => {
      const execute = vi.fn();
      const { replies, events, result } = await play(
        [{}],
        { approve, approvalTimeoutMs: 30 },
        { tools: [tool(execute)] },
      );
      expect(execute).not.toHaveBeenCalled();
      expect(replies[0]).toMatchObject({ isError: true, output: expect.stringMatching(told) });
      expect(ofType(events, "approval.decided")).toMatchObject([{ decision: "deny", source }]);
      expect(result.stopReason).toBe("natural");
    });
  }

  test("denies and stops ends the run at once, even behind a call that hangs", async () => {
    const execute = vi.fn(({ value }) => (value === "hang" ? forever : Promise.resolve("ok")));
    const approve = ({ input }: Approval): ApprovalAnswer =>
      JSON.stringify(input).includes("hang") ? allow : { decision: "deny-and-stop", message: "Enough." };
    const { result } = await play([{ value: "hang" }, {}], { approve }, { tools: [tool(execute)] });
    expect(result).toMatchObject({ stopReason: "stopped", error: { message: expect.stringContaining("Enough.") } });
    expect(execute.mock.calls.length).toBeLessThan(2);
  });

  test("replaces the input is validated, evaluated and logged, and the model gets the new input", async () => {
    const approve = vi.fn<Approver>((approval) =>
      approval.problem === undefined ? { ...allow, input: { value: 5 } } : { ...allow, input: { value: "b" } },
    );
    const { replies, events } = await play([{ value: "a" }], { approve });
    expect(approve.mock.calls.map(([{ attempt }]) => attempt)).toEqual([1, 2]);
    expect(approve.mock.calls[1]?.[0].problem).toContain("value: ");
    expect(replies[0]?.output).toBe(
      '[A person changed the input of this call before it ran. It ran with: {"value":"b"}]\ndid b',
    );
    expect(ofType(events, "tool.finished")[0]?.output).toBe(replies[0]?.output);
    expect(ofType(events, "approval.decided").at(-1)).toMatchObject({ input: { value: "b" }, decision: "allow" });
    const entry = buildTranscript(events).entries.find(({ kind }) => kind === "tool");
    expect(entry).toMatchObject({ input: { value: "a" }, edited: { value: "b" }, state: "succeeded" });
  });

  test("replaces the input by one that a rule denies has no effect", async () => {
    const execute = vi.fn();
    const rules: PolicyRules = { rules: [{ tool: "t", when: { value: "b" }, then: "deny" }] };
    const approve = () => ({ ...allow, input: { value: "b" } });
    const { replies } = await play(
      [{ value: "a" }],
      { approve, policy: createPolicy(rules) },
      { tools: [tool(execute)] },
    );
    expect(execute).not.toHaveBeenCalled();
    expect(replies[0]?.output).toContain("rules[0] t");
  });

  test("applies to the session answers the open questions about the same tool", async () => {
    const approve = vi.fn<Approver>(({ callId }) =>
      callId === "0" ? { ...allow, scope: "session", by: "ada" } : forever,
    );
    const { events, result } = await play([{ value: "1" }, { value: "2" }], { approve });
    expect(ofType(events, "approval.decided").map(({ source, rule }) => [source, rule])).toEqual([
      ["answer", undefined],
      ["remembered", "remembered:session"],
    ]);
    expect(result.toolFailures).toBe(0);
    expect(approve.mock.calls[1]?.[1].aborted).toBe(true);
    expect(sessionAnswers(events)).toMatchObject([{ tool: "t", decision: "allow", scope: "session", by: "ada" }]);
  });

  test("applies always is stored in the permissions", async () => {
    const permissions = createMemoryPermissions();
    const approve = vi.fn<Approver>(() => ({ ...allow, scope: "always", when: { value: "^a" } }));
    for (const value of ["a1", "a2", "b"]) await play([{ value }], { approve, permissions });
    expect(approve.mock.calls.map(([{ input }]) => input)).toEqual([{ value: "a1" }, { value: "b" }]);
    expect((await permissions.read())[0]).toMatchObject({ tool: "t", when: { value: "^a" }, scope: "always" });
  });

  test("cannot be stored applies once, and emits a notice", async () => {
    const add = () => Promise.reject(new Error("the disk is full"));
    const permissions = { ...createMemoryPermissions(), add };
    const { events, result } = await play([{}], { approve: () => ({ ...allow, scope: "project" }), permissions });
    expect(result.toolFailures).toBe(0);
    expect(ofType(events, "notice")).toMatchObject([{ code: "answer-not-remembered" }]);
  });

  test("allows in a mode that asks every time applies once", async () => {
    const approve = vi.fn<Approver>(() => ({ ...allow, scope: "session" }));
    const { events } = await play([{}, {}], { approve, policy: createPolicy({ mode: "ask" }) });
    expect(approve).toHaveBeenCalledTimes(2);
    expect(ofType(events, "approval.decided").map(({ scope }) => scope)).toEqual(["once", "once"]);
  });
});

describe("in an approval queue", () => {
  test("the first answer for the shown input counts, and other answers are refused", async () => {
    const desk = createApprovalQueue();
    const playing = play([{}], { approve: desk.approve });
    await vi.waitFor(() => expect(desk.pending).toHaveLength(1));
    const [{ id, inputHash } = { id: "", inputHash: "" }] = desk.pending;
    expect(() => desk.answer(id, { decision: "sure" as "allow", inputHash })).toThrow("not valid");
    expect(desk.answer(id, { ...allow, inputHash: "0" }).message).toContain("is about another input");
    expect(desk.answer("else", { ...allow, inputHash }).message).toContain("is not known");
    expect(desk.answer(id, { decision: "deny", inputHash })).toMatchObject({ accepted: true });
    expect(desk.answer(id, { ...allow, inputHash }).message).toBe(
      "The question is settled already. Nothing was changed.",
    );
    expect((await playing).result.toolFailures).toBe(1);
  });

  test("a question is settled when its run is stopped", async () => {
    const desk = createApprovalQueue();
    const playing = play([{}], {
      approve: desk.approve,
      onEvent: ({ type }) => type === "approval.requested" && stop(),
    });
    const stop = () => setTimeout(() => playing.stop(), 10);
    const { events, result } = await playing;
    expect(result.stopReason).toBe("stopped");
    expect(desk.pending).toEqual([]);
    expect(pendingApprovals(events)).toEqual([]);
    expect(ofType(events, "approval.decided")).toMatchObject([{ decision: "deny", source: "run-ended" }]);
  });
});

test("questions without an answer in the event log are pending", async () => {
  const { events } = await play([{}], { approve: () => allow });
  const asked = events.findIndex(({ type }) => type === "approval.requested");
  expect(pendingApprovals(events.slice(0, asked + 1))).toMatchObject([{ tool: "t", callId: "0", attempt: 1 }]);
  expect(pendingApprovals(events)).toEqual([]);
});

test("a run logs the id of its policy", async () => {
  const policy = createPolicy({ mode: "auto" });
  const { events } = await play([], { policy });
  expect(ofType(events, "run.started")[0]?.policy).toBe(policy.id);
});

test("a disabled tool is not offered, and a rule about an unknown tool fails the start of the run", async () => {
  const offered: string[][] = [];
  const open = async ({ tools, builtins }: { tools: readonly { name: string }[]; builtins: readonly string[] }) => {
    offered.push([...tools.map(({ name }) => name), ...builtins]);
    throw new Error("seen");
  };
  const request = { tools: [tool(), createTestTool("kept", async () => "")], builtins: ["Read"] };
  const backend = createTestBackend(() => natural, { open });
  await begin(backend, request, { policy: createPolicy({ disable: ["t", "Read"] }) }).result;
  expect(offered).toEqual([["kept"]]);
  const wrong = createPolicy({ rules: [{ tool: "keptt", then: "deny" }] });
  expect(() => begin(backend, request, { policy: wrong })).toThrow('Did you mean "kept"?');
  expect((await begin(backend, { tools: [] }, { policy: wrong }).result).error?.message).toContain("seen");
});

type Request = Parameters<typeof begin>[1];

/** Starts a run with a model that makes these calls to `t` in one step, under the default rules. */
function play(inputs: readonly unknown[], options: Partial<RuntimeOptions>, request: Request = {}) {
  const replies: ToolReply[] = [];
  const turn = async (host: TurnContext) => {
    step(host);
    const calls = inputs.map((input, index) => host.callTool({ callId: String(index), tool: "t", input }));
    replies.push(...(await Promise.all(calls)));
    return natural;
  };
  const run = begin(createTestBackend(turn), { tools: [tool()], ...request }, { policy: createPolicy(), ...options });
  return Object.assign(
    expectLaws(run).then((ended) => ({ ...ended, replies })),
    { stop: () => run.stop() },
  );
}

async function authorizeHostTool(tool: string, options: Partial<RuntimeOptions>): Promise<unknown> {
  let admitted: unknown;
  const turn = async (host: TurnContext) => {
    step(host);
    admitted = await host.authorizeHostTool({ callId: "1", tool, input: { path: "a" } });
    return natural;
  };
  await begin(createTestBackend(turn), { builtins: [tool] }, { policy: createPolicy(), ...options }).result;
  return admitted;
}

function kinds(events: readonly RunEvent[]): string[] {
  return events.map(({ type }) => type).filter((type) => /^(tool|approval)\./.test(type));
}
