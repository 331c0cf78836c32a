import { collect, interceptAppends } from "@bridle/conformance";
import type { EventLog, RunEvent, TurnContext } from "@bridle/protocol";
import { describe, expect, test, vi } from "vitest";
import { begin, createTestBackend, createTestTool, natural, step } from "../runtime/runs-for-tests.ts";
import { createAgentRuntime } from "../runtime/runtime.ts";
import { createMemoryEventLog } from "./memory-event-log.ts";

/** The number of writes of the run below: nine before its end is decided, then the usage and the end. */
const writes = 11;
const writesUndecided = 9;

describe("an event log that fails", () => {
  for (const lasting of [true, false]) {
    for (let at = 1; at <= writes; at++) {
      test(`${lasting ? "from" : "only at"} write ${at} ends the run once, and no unlogged tool call runs`, async () => {
        const record = failing(at, lasting);
        const execute = vi.fn(async () => {
          expect((await record.read({ runId: run.id })).map(({ type }) => type)).toContain("tool.started");
          return "ok";
        });
        const turn = async (host: TurnContext) => {
          step(host, "text");
          await host.callTool({ callId: "1", tool: "t", input: {} });
          return natural;
        };
        const run = begin(createTestBackend(turn), { tools: [createTestTool("t", execute)] }, { eventLog: record });
        const events: RunEvent[] = [];
        for await (const event of run) events.push(event);
        const result = await run.result;
        expect(events.filter(({ type }) => type === "run.finished")).toHaveLength(1);
        expect(events.at(-1)).toMatchObject({ type: "run.finished", result });
        expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
        expect(record.toldOnce()).toBe(true);
        if (at > writesUndecided) return;
        expect(result).toMatchObject({ stopReason: "error", error: { code: "backend_crash" } });
        expect(result.error?.message).toBe("The run could not be logged: disk full");
      });
    }
  }

  test("whoever sees the end of a run in the log finds its session free", async () => {
    const memory = createMemoryEventLog();
    const taken: string[] = [];
    const openWriter: EventLog["openWriter"] = async (stream) => {
      const writer = await memory.openWriter(stream);
      const durable = async () => {
        await writer.durable();
        const [newest] = await memory.read({ ...stream, last: 1 });
        if (newest?.type !== "run.finished") return;
        const next = await memory.openWriter(stream); // rejects while the run has the session
        taken.push(newest.runId);
        await next.close();
      };
      return { ...writer, durable };
    };
    const turn = (host: TurnContext) => {
      step(host, "done");
      return natural;
    };
    const options = { models: { default: "m" }, eventLog: { ...memory, openWriter } };
    const runtime = createAgentRuntime({ backend: createTestBackend(turn), ...options });
    const run = await (await runtime.openSession({ tools: [] })).send("go");
    expect((await run.result).stopReason).toBe("natural");
    expect(taken).toEqual([run.id]);
  });

  test("to close the stream of a run does not keep the run from its end, nor the session from its next run", async () => {
    const memory = createMemoryEventLog();
    const openWriter: EventLog["openWriter"] = async (stream) => {
      const writer = await memory.openWriter(stream);
      const close = () => writer.close().then(() => Promise.reject(new Error("connection lost")));
      return { ...writer, close };
    };
    const turn = (host: TurnContext) => {
      step(host, "done");
      return natural;
    };
    const options = { models: { default: "m" }, eventLog: { ...memory, openWriter } };
    const runtime = createAgentRuntime({ backend: createTestBackend(turn), ...options });
    const run = runtime.runAgentLoop({ prompt: "go", tools: [] });
    expect(await run.result).toMatchObject({ stopReason: "natural", text: "done" });
    expect((await collect(run)).at(-1)?.type).toBe("run.finished");
    const session = await runtime.openSession({ tools: [] });
    await expect(session.send([])).rejects.toThrow("prompt");
    expect(await (await session.send("go")).result).toMatchObject({ stopReason: "natural" });
  }, 20_000);

  test("to store an artifact ends the run too, and a running call gets its outcome", async () => {
    const memory = createMemoryEventLog();
    let artifacts = 0;
    const openWriter: EventLog["openWriter"] = async (stream) => {
      const writer = await memory.openWriter(stream);
      const putArtifact = (content: string) => {
        artifacts += 1;
        if (artifacts > 1) throw new Error("disk full");
        return writer.putArtifact(content);
      };
      return { ...writer, putArtifact };
    };
    const turn = async (host: TurnContext) => {
      step(host);
      await host.callTool({ callId: "1", tool: "t", input: {} });
      return natural;
    };
    const tools = [createTestTool("t", async () => "xx", { maxResultChars: 1 })];
    const run = begin(createTestBackend(turn), { tools }, { eventLog: { ...memory, openWriter } });
    expect((await run.result).error?.message).toContain("disk full");
    expect((await memory.read({ runId: run.id })).filter(({ type }) => type === "tool.finished")).toMatchObject([
      { ok: false },
    ]);
  });
});

describe("an event log that cannot make events durable", () => {
  test.each([1, 2, 3])(
    "at sync %i ends the run, and no tool with effects starts before its start is durable",
    async (at) => {
      const memory = createMemoryEventLog();
      let syncs = 0;
      const openWriter: EventLog["openWriter"] = async (stream) => {
        const writer = await memory.openWriter(stream);
        const durable = async () => {
          syncs += 1;
          if (syncs === at) throw new Error("the disk is gone");
        };
        return { ...writer, durable };
      };
      const execute = vi.fn(async () => "ok");
      const turn = async (host: TurnContext) => {
        step(host);
        await host.callTool({ callId: "1", tool: "t", input: {} });
        step(host);
        return natural;
      };
      const run = begin(
        createTestBackend(turn),
        { tools: [createTestTool("t", execute)] },
        { eventLog: { ...memory, openWriter } },
      );
      const events = await collect(run);
      const result = await run.result;
      expect(events.at(-1)).toMatchObject({ type: "run.finished", result });
      expect(events.filter(({ type }) => type === "run.finished")).toHaveLength(1);
      expect(execute).toHaveBeenCalledTimes(at === 1 ? 0 : 1);
      if (at < 3) expect(result.error?.message).toBe("The run could not be logged: the disk is gone");
      else expect(result.stopReason).toBe("natural"); // the end itself: the run has happened
    },
  );
});

interface FailingRecord extends EventLog {
  /** Each call is logged as finished or denied at most once. */
  toldOnce(): boolean;
}

function failing(at: number, lasting: boolean): FailingRecord {
  const memory = createMemoryEventLog();
  const outcomes: string[] = [];
  let count = 0;
  const intercepted = interceptAppends(memory, (append) => (runId, draft, options) => {
    count += 1;
    if (count === at || (lasting && count > at)) throw new Error("disk full");
    if (draft.type === "tool.finished" || draft.type === "tool.denied") outcomes.push(draft.callId);
    return append(runId, draft, options);
  });
  return {
    ...intercepted,
    toldOnce: () => new Set(outcomes).size === outcomes.length,
  };
}
