import { appendEvents } from "@bridle/conformance";
import {
  type ApprovalStore,
  type Approver,
  buildHistory,
  ConfigError,
  type EventLog,
  type RunEvent,
  type TurnContext,
} from "@bridle/protocol";
import { describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { createMemoryEventLog } from "../event-log/memory-event-log.ts";
import { createPolicy } from "../policy/policy-rules.ts";
import { begin, createTestBackend, createTestTool, expectLaws, natural, step } from "../runtime/runs-for-tests.ts";
import { createAgentRuntime } from "../runtime/runtime.ts";
import { AnswerWatch } from "./answer-watch.ts";
import { createApprovalQueue } from "./approval-queue.ts";
import { createMemoryPermissions } from "./memory-permissions.ts";

const policy = createPolicy();
const call = { callId: "1", tool: "t", input: { value: "x" } };

/** Starts a run with one call that needs approval, on this event log. */
function play(record: EventLog, approve: Approver | "event-log", replies: string[] = []) {
  const turn = async (host: TurnContext) => {
    step(host);
    replies.push((await host.callTool(call)).output);
    return natural;
  };
  const tool = createTestTool("t", async ({ value }) => `did ${value}`, { input: z.object({ value: z.string() }) });
  return expectLaws(begin(createTestBackend(turn), { tools: [tool] }, { policy, eventLog: record, approve }));
}

/** Resolves with the open question as soon as a question is open. */
async function asked({ approvals }: EventLog) {
  if (!approvals) throw new Error("The event log accepts no answers.");
  await vi.waitFor(async () => expect(await approvals.open()).toHaveLength(1));
  const [question] = await approvals.open();
  if (!question) throw new Error("There is no question.");
  return { approvals, ...question };
}

function decisions(events: readonly RunEvent[]) {
  return events.filter(({ type }) => type === "approval.decided");
}

describe("an answer through the event log", () => {
  test("takes precedence over the approver, whose signal is aborted with the answer as the reason", async () => {
    const record = createMemoryEventLog();
    let reason: unknown;
    const approve: Approver = (_approval, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => {
          reason = signal.reason;
          reject(signal.reason);
        });
      });
    const replies: string[] = [];
    const playing = play(record, approve, replies);
    const { approvals, id, inputHash } = await asked(record);
    await approvals.answer(id, { decision: "allow", inputHash, by: "ada", message: "Go." });
    const { events } = await playing;
    expect(decisions(events)).toMatchObject([{ decision: "allow", source: "answer", by: "ada" }]);
    expect(replies).toEqual(["[The person who allowed this call says: Go.]\ndid x"]);
    expect(reason).toMatchObject({ message: "Answered elsewhere: allow, by ada" });
  });

  test("is refused after the run has an answer, and takes precedence over a later answer in the run", async () => {
    const record = createMemoryEventLog();
    const desk = createApprovalQueue();
    const playing = play(record, desk.approve);
    const { approvals, id, inputHash } = await asked(record);
    desk.answer(id, { decision: "allow", inputHash });
    await playing;
    expect(await approvals.answer(id, { decision: "deny", inputHash })).toMatchObject({ outcome: "settled" });

    const other = createMemoryEventLog();
    const again = createApprovalQueue();
    const second = play(other, again.approve);
    const question = await asked(other);
    await question.approvals.answer(question.id, { decision: "deny", inputHash, by: "first" });
    again.answer(question.id, { decision: "allow", inputHash, by: "second" }); // before the inbox is checked again
    expect(decisions((await second).events)).toMatchObject([{ decision: "deny", by: "first" }]);
  });

  test("is read again if the event log fails, and the call is denied if the answer cannot be stored", async () => {
    const record = createMemoryEventLog();
    let looks = 0;
    const elsewhere = new AnswerWatch({
      async answered(ids) {
        looks += 1;
        if (looks === 1) throw new Error("the disk is slow");
        return ids;
      },
    });
    const watch: ApprovalStore["watch"] = (id, listener) => elsewhere.add(id, listener);
    const unsteady = { ...record, approvals: { ...(record.approvals as ApprovalStore), watch } };
    const playing = play(unsteady, "event-log");
    const { approvals, id, inputHash } = await asked(unsteady);
    await approvals.answer(id, { decision: "allow", inputHash });
    expect(decisions((await playing).events)).toMatchObject([{ decision: "allow", source: "answer" }]);
    expect(looks).toBe(2);

    const close = async () => {
      throw new Error("the disk is full");
    };
    const broken = createMemoryEventLog();
    const failing = { ...broken, approvals: { ...(broken.approvals as ApprovalStore), close } };
    const { events } = await play(failing, () => ({ decision: "allow" }));
    expect(decisions(events)).toMatchObject([
      { decision: "deny", source: "failed", message: "The answer was lost: the disk is full" },
    ]);
  });

  test("needs an event log that accepts answers if no approver is set", () => {
    const { approvals: _approvals, ...record } = createMemoryEventLog();
    const options = { backend: createTestBackend(() => natural), models: { default: "m" } };
    expect(() => createAgentRuntime({ ...options, approve: "event-log", eventLog: record })).toThrow(ConfigError);
    expect(() => createAgentRuntime({ ...options, approve: "event-log" })).toThrow(ConfigError);
  });
});

describe("a session whose process died during a question", () => {
  const place = { runId: "dead", sessionId: "s" };

  /** Creates the event log of a process that died while it waited for an answer. */
  async function left(answer?: object): Promise<EventLog & { approvals: ApprovalStore }> {
    const record = createMemoryEventLog();
    const { approvals } = record;
    if (!approvals) throw new Error("The event log accepts no answers.");
    const found: RunEvent[] = [];
    const turn = async (host: TurnContext) => {
      step(host, "I will.");
      await host.callTool(call);
      return natural;
    };
    const approve: Approver = () => ({ decision: "deny" });
    const tool = createTestTool("t", async () => "done", { input: z.object({ value: z.string() }) });
    for await (const event of begin(createTestBackend(turn), { tools: [tool] }, { policy, approve })) found.push(event);
    const until = found.findIndex(({ type }) => type === "approval.requested");
    for (const { seq: _seq, time: _time, runId: _runId, ...draft } of found.slice(0, until + 1)) {
      await appendEvents(record, place, draft);
    }
    const end = found.at(-1);
    if (end?.type === "run.finished")
      await appendEvents(record, place, { type: end.type, result: end.result, durationMs: 1 });
    const [question] = await approvals.open();
    if (answer && question) {
      const { accepted } = await approvals.answer(question.id, {
        decision: "deny",
        inputHash: question.inputHash,
        ...answer,
      });
      expect(accepted).toBe(true);
    }
    return { ...record, approvals };
  }

  /** Continues the session, and returns the history that the host received. */
  async function goOn(record: EventLog, permissions = createMemoryPermissions()) {
    const backend = createTestBackend((host) => {
      step(host, "Well.");
      return natural;
    });
    const { open } = backend;
    let handed: unknown;
    const listening = {
      ...backend,
      open(spec: Parameters<typeof open>[0], signal: AbortSignal) {
        handed = spec.history;
        return open(spec, signal);
      },
    };
    const runtime = createAgentRuntime({
      backend: listening,
      models: { default: "m" },
      eventLog: record,
      policy,
      permissions,
    });
    const session = await runtime.openSession({ id: "s", tools: [], stepBudget: 3 });
    const before = [...session.history()];
    await (await session.send("Go on")).result;
    const after = session.history();
    await runtime.close();
    return { handed, before, after };
  }

  const told = "This call was not executed: the process that ran it ended while a person was asked about it.";
  const answers: [title: string, answer: object | undefined, told: string][] = [
    ["there was no answer", undefined, told],
    [
      "it was allowed",
      { decision: "allow" },
      `${told} The person has allowed it since. Call it again if it is still needed.`,
    ],
    ["it was denied", { message: "No." }, `${told} The person has not allowed it since. No.`],
    [
      "the answer was deny-and-stop",
      { decision: "deny-and-stop" },
      `${told} The person has not allowed it since. Do not repeat it; continue without it.`,
    ],
    [
      "another input was allowed",
      { decision: "allow", input: { value: "y" }, message: "This one." },
      `${told} The person has allowed it since, with another input. If it is still needed, call it again with exactly this input: {"value":"y"} The person says: This one.`,
    ],
  ];
  test.each(answers)(
    "sends the outcome as the result of the call if %s, identical live and replayed",
    async (_title, answer, output) => {
      const record = await left(answer);
      const { handed, after } = await goOn(record);
      const result = { type: "tool-result", callId: "1", output, isError: true };
      expect(handed).toContainEqual({ role: "user", content: [result] });
      const replayed = buildHistory(await record.read({ sessionId: "s" }));
      expect(JSON.stringify(replayed)).toBe(JSON.stringify(after));
      expect(JSON.stringify(after).startsWith(JSON.stringify(handed).slice(0, -1))).toBe(true);
      const types = (await record.read({ sessionId: "s" })).map(({ type }) => type);
      const ended = types.indexOf("run.finished");
      expect(types.slice(ended, ended + 3)).toEqual(["run.finished", "run.started", "approval.decided"]);
      expect(await record.approvals.open()).toEqual([]);
    },
  );

  test("remembers an answer for a longer scope, and emits a notice if it cannot be stored", async () => {
    const answer = { decision: "allow", scope: "always", by: "ada" };
    const permissions = createMemoryPermissions();
    await goOn(await left(answer), permissions);
    expect(await permissions.read()).toMatchObject([{ tool: "t", decision: "allow", scope: "always", by: "ada" }]);
    const record = await left(answer);
    await goOn(record, { ...permissions, add: () => Promise.reject(new Error("the file broke")) });
    expect((await record.read({ sessionId: "s" })).find(({ type }) => type === "notice")).toMatchObject({
      message: "An answer could not be remembered: the file broke",
    });
  });
});
