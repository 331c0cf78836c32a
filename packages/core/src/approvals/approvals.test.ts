import {
  type AnyTool,
  type Approval,
  type ApprovalAnswer,
  type Approver,
  buildTranscript,
  type EventOf,
  pendingApprovals,
  type RunEvent,
  type RunEventType,
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
  test("carries the call, its rule and what the tool says it would do", async () => {
    const approve = vi.fn<Approver>(() => allow);
    const preview = ({ value }: Record<string, unknown>) => `- old\n+ ${value}`;
    const { events } = await play([{ value: "new" }], { approve }, { tools: [tool(undefined, { preview })] });
    const [asked] = ofType(events, "approval.requested");
    expect(asked).toMatchObject({ tool: "t", input: { value: "new" }, rule: "default", preview: "- old\n+ new" });
    expect(asked?.inputHash).toBe(ofType(events, "tool.requested")[0]?.inputHash);
    expect(approve.mock.calls[0]?.[0]).toMatchObject({ id: asked?.approvalId, preview: "- old\n+ new", attempt: 1 });
    expect(kinds(events)).toEqual([
      ...["tool.requested", "tool.evaluated", "approval.requested", "approval.decided"],
      ...["tool.started", "tool.finished"],
    ]);
  });

  test("shows why there is no preview where the tool fails to give one", async () => {
    const preview = () => {
      throw new Error("no such file");
    };
    const { events } = await play([{}], { approve: () => allow }, { tools: [tool(undefined, { preview })] });
    expect(ofType(events, "approval.requested")[0]?.preview).toBe("(The preview failed: no such file)");
  });

  test("does not wait for the one before it, and what is allowed runs in the order of the calls", async () => {
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

  test("is not put where nobody can answer: the call is denied, and the model is told so", async () => {
    const { replies, events } = await play([{}], {});
    expect(replies[0]?.output).toContain("nobody can be asked in this run");
    expect(kinds(events)).toEqual(["tool.requested", "tool.evaluated", "tool.denied"]);
    expect(ofType(events, "tool.evaluated")[0]).toMatchObject({ decision: "deny", rule: "default" });
  });

  test("holds the time of the run", async () => {
    const slow = () => new Promise<ApprovalAnswer>((resolve) => setTimeout(resolve, 150, allow));
    const { result } = await play([{}], { approve: slow }, { timeoutMs: 100 });
    expect(result.stopReason).toBe("natural");
  });

  test("about a host's own tool is put, too", async () => {
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

test("a host's own tool is judged by what the backend knows of it", async () => {
  const policy = createPolicy({ mode: "read-only" });
  expect(await authorizeHostTool("List", { policy })).toEqual({ allow: true });
  expect(await authorizeHostTool("Read", { policy })).toMatchObject({
    reply: expect.stringContaining("mode:read-only"),
  });
});

describe("an answer that", () => {
  const denials: Record<string, [Approver, source: string, told: string | RegExp]> = {
    "denies with a word to the model": [() => ({ decision: "deny", message: "Not on a Friday." }), "answer", /Friday/],
    "is not an answer": [() => ({ decision: "sure" }) as never, "failed", "not valid"],
    "is thrown": [() => Promise.reject(new Error("line cut")), "failed", /line cut\. Do not/],
    "is about another input": [() => ({ ...allow, inputHash: "0" }), "failed", "another input"],
    "has a pattern that is none": [() => ({ ...allow, scope: "session", when: { a: "(" } }), "failed", "regular"],
    "does not come": [() => forever, "timeout", "Nobody answered within 0.03 s"],
  };
  for (const [title, [approve, source, told]] of Object.entries(denials)) {
    test(`${title} denies the call, and the run goes on`, async () => {
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

  test("denies and stops ends the run, at once also behind a call that hangs", async () => {
    const execute = vi.fn(({ value }) => (value === "hang" ? forever : Promise.resolve("ok")));
    const approve = ({ input }: Approval): ApprovalAnswer =>
      JSON.stringify(input).includes("hang") ? allow : { decision: "deny-and-stop", message: "Enough." };
    const { result } = await play([{ value: "hang" }, {}], { approve }, { tools: [tool(execute)] });
    expect(result).toMatchObject({ stopReason: "stopped", error: { message: expect.stringContaining("Enough.") } });
    expect(execute.mock.calls.length).toBeLessThan(2);
  });

  test("puts another input in place has it checked, judged and on record, and the model is told", async () => {
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

  test("puts an input in place that a rule denies is of no use", async () => {
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

  test("holds for the session answers what is still asked of the same tool", async () => {
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

  test("holds always is kept where answers outlive a run", async () => {
    const permissions = createMemoryPermissions();
    const approve = vi.fn<Approver>(() => ({ ...allow, scope: "always", when: { value: "^a" } }));
    for (const value of ["a1", "a2", "b"]) await play([{ value }], { approve, permissions });
    expect(approve.mock.calls.map(([{ input }]) => input)).toEqual([{ value: "a1" }, { value: "b" }]);
    expect((await permissions.read())[0]).toMatchObject({ tool: "t", when: { value: "^a" }, scope: "always" });
  });

  test("cannot be kept holds once, and a notice says so", async () => {
    const add = () => Promise.reject(new Error("the disk is full"));
    const permissions = { ...createMemoryPermissions(), add };
    const { events, result } = await play([{}], { approve: () => ({ ...allow, scope: "project" }), permissions });
    expect(result.toolFailures).toBe(0);
    expect(ofType(events, "notice")).toMatchObject([{ code: "answer-not-remembered" }]);
  });

  test("allows in the mode that asks each time holds once", async () => {
    const approve = vi.fn<Approver>(() => ({ ...allow, scope: "session" }));
    const { events } = await play([{}, {}], { approve, policy: createPolicy({ mode: "ask" }) });
    expect(approve).toHaveBeenCalledTimes(2);
    expect(ofType(events, "approval.decided").map(({ scope }) => scope)).toEqual(["once", "once"]);
  });
});

describe("at a desk", () => {
  test("the first answer for the input that was shown counts, and all others say that they change nothing", async () => {
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

test("questions without an answer on record are pending", async () => {
  const { events } = await play([{}], { approve: () => allow });
  const asked = events.findIndex(({ type }) => type === "approval.requested");
  expect(pendingApprovals(events.slice(0, asked + 1))).toMatchObject([{ tool: "t", callId: "0", attempt: 1 }]);
  expect(pendingApprovals(events)).toEqual([]);
});

test("a run under rules has them on record, as an artifact that is named by its hash", async () => {
  const policy = createPolicy({ mode: "auto" });
  const { events } = await play([], { policy });
  expect(ofType(events, "run.started")[0]?.policy).toBe(policy.id);
});

test("a disabled tool is not offered, and a rule about a tool that is not there ends nothing but the attempt", async () => {
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

/** A run whose model makes these calls of `t` in one step, under the plain rules. */
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

function ofType<K extends RunEventType>(events: readonly RunEvent[], type: K): EventOf<K>[] {
  return events.filter((event): event is EventOf<K> => event.type === type);
}
