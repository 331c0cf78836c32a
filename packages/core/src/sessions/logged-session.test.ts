import { setTimeout as sleep } from "node:timers/promises";
import { createMemoryBackend } from "@bridle/conformance";
import {
  type AgentRuntime,
  buildHistory,
  type EventDraft,
  type EventLog,
  noUsage,
  type SessionRequest,
} from "@bridle/protocol";
import { describe, expect, test } from "vitest";
import { createMemoryEventLog } from "../event-log/memory-event-log.ts";
import { createAgentRuntime } from "../runtime/runtime.ts";

const request: SessionRequest = { id: "s", tools: [], stepBudget: 2 };

function runtimeOn(eventLog: EventLog): AgentRuntime {
  const backend = createMemoryBackend([{ steps: [{ say: "Well. ".repeat(50) }] }]);
  return createAgentRuntime({ backend, models: { default: "m" }, eventLog });
}

/** Creates a turn of four events. */
function turnOf(text: string, input: unknown = {}): readonly EventDraft[] {
  const result = { stopReason: "natural", text: "", steps: 1, toolCalls: 1, toolFailures: 0, usage: noUsage } as const;
  const started = { operation: "loop", backend: "memory", model: "m", tools: [], builtins: [] } as const;
  return [
    { type: "run.started", ...started, stepBudget: 1, policy: "p" },
    {
      type: "model.input",
      turn: 1,
      sha256: "h",
      artifact: "h",
      implicitSources: [],
      hostAdds: [],
      messages: [{ role: "user", content: [{ type: "text", text }] }],
    },
    { type: "tool.requested", callId: text, tool: "t", input, inputHash: "h" },
    { type: "run.finished", result, durationMs: 1 },
  ];
}

async function writeTurns(eventLog: EventLog, count: number, name: string): Promise<void> {
  const writer = await eventLog.openWriter({ sessionId: "s" });
  for (let turn = 1; turn <= count; turn++) {
    for (const draft of turnOf(`${name} ${turn}`)) writer.append(`run of ${name} ${turn}`, draft);
  }
  await writer.close();
}

describe("a session counts each event once", () => {
  test("if its log is read several times at once", async () => {
    const eventLog = createMemoryEventLog();
    const session = await runtimeOn(eventLog).openSession(request);
    await writeTurns(eventLog, 3, "Turn");
    const [branch] = await Promise.all([session.fork(), session.refresh(), session.compact("drop-tool-results")]);
    expect(session.totals).toMatchObject({ runs: 3, steps: 3 });
    expect(session.history()).toEqual(buildHistory(await eventLog.read({ sessionId: "s" })));
    expect(branch.history()).toEqual(session.history());
  });

  test("if its log is read while its own run is in progress", async () => {
    const eventLog = createMemoryEventLog();
    const runtime = runtimeOn(eventLog);
    const session = await runtime.openSession(request);
    await writeTurns(eventLog, 3, "Turn");
    const run = await session.send("Hello");
    const reads: Promise<void>[] = [];
    for await (const _event of run) {
      reads.push(session.refresh());
      expect(session.totals.runs).toBeLessThanOrEqual(4);
    }
    await Promise.all(reads);
    const again = await runtime.openSession(request);
    expect(session.totals).toEqual(again.totals);
    expect([session.steps, session.history()]).toEqual([again.steps, again.history()]);
  });
});

describe("a session that another one removes from the log", () => {
  test("is empty as soon as it is read again", async () => {
    const eventLog = createMemoryEventLog();
    const session = await runtimeOn(eventLog).openSession(request);
    await (await session.send("Hello")).result;
    await eventLog.removeSession("s");
    await session.refresh();
    expect([session.history(), session.totals.runs, session.steps]).toEqual([[], 0, 0]);
  });

  test.each([0, 300, 600])("and that begins anew with %i turns continues with those alone", async (turns) => {
    const eventLog = createMemoryEventLog();
    await writeTurns(eventLog, 300, "Removed");
    const runtime = runtimeOn(eventLog);
    const session = await runtime.openSession(request);
    await (await session.send("Hello")).result;
    await session.close();
    const open = await runtime.openSession(request);
    expect(await eventLog.snapshots("s")).toHaveLength(1);
    await eventLog.removeSession("s");
    await writeTurns(eventLog, turns, "New");
    await (await open.send("Hello")).result;
    await open.close();
    const expected = buildHistory(await eventLog.read({ sessionId: "s" }));
    expect(open.history()).toEqual(expected);
    expect((await runtime.openSession(request)).history()).toEqual(expected);
    expect(JSON.stringify(await eventLog.snapshots("s"))).not.toContain("Removed");
  });
});

test("a snapshot of other events than those of the log is not used", async () => {
  const eventLog = createMemoryEventLog();
  await writeTurns(eventLog, 300, "Other");
  const session = await runtimeOn(eventLog).openSession(request);
  await (await session.send("Hello")).result;
  await session.close();
  const [snapshot] = await eventLog.snapshots("s");
  await eventLog.removeSession("s");
  await writeTurns(eventLog, 400, "Logged");
  if (snapshot) await eventLog.addSnapshot("s", snapshot);
  const again = await runtimeOn(eventLog).openSession(request);
  expect(again.history()).toEqual(buildHistory(await eventLog.read({ sessionId: "s" })));
});

test("a turn ends, and its session can be closed, even if no snapshot can be made of its history", async () => {
  const eventLog = createMemoryEventLog();
  const writer = await eventLog.openWriter({ sessionId: "s" });
  for (const draft of turnOf("A number that JSON does not have", { large: 10n })) writer.append("first", draft);
  await writer.close();
  await writeTurns(eventLog, 300, "Turn");
  const session = await runtimeOn(eventLog).openSession(request);
  expect(await (await session.send("Hello")).result).toBeDefined();
  await session.close();
  expect(await eventLog.snapshots("s")).toEqual([]);
});

test("a runtime that is closed after a turn has stored the snapshot of the session", async () => {
  const stored = createMemoryEventLog();
  await writeTurns(stored, 300, "Turn");
  const addSnapshot: EventLog["addSnapshot"] = async (...snapshot) => {
    await sleep(50);
    return stored.addSnapshot(...snapshot);
  };
  const runtime = runtimeOn({ ...stored, addSnapshot });
  const session = await runtime.openSession(request);
  await (await session.send("Hello")).result;
  await runtime.close();
  expect(await stored.snapshots("s")).toHaveLength(1);
});
