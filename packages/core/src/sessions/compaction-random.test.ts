import { createMemoryBackend, type ScriptedModel } from "@bridle/conformance";
import { type AgentSession, buildHistory, type Compaction, type RunEvent } from "@bridle/protocol";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createMemoryEventLog } from "../event-log/memory-event-log.ts";
import { createTestTool } from "../runtime/runs-for-tests.ts";
import { createAgentRuntime } from "../runtime/runtime.ts";
import { checkHistory } from "./check-history.ts";

const look = { calls: [{ tool: "look", input: {} }] };

/** `full` fills the window, `long` outgrows it after a call, `over` outgrows it before any call, and `stop` is stopped in its answer. */
const model: ScriptedModel = [
  { prompt: "<conversation>", steps: [{ say: "In short." }] },
  { prompt: "Continue the task", steps: [look, { say: "Went on." }] },
  { prompt: "talk", steps: [look, { say: "Done." }] },
  { prompt: "full", steps: [look, { say: "Full.", promptTokens: 900_000 }] },
  { prompt: "long", steps: [look, look, { fail: "context-overflow" }] },
  { prompt: "over", steps: [{ fail: "context-overflow" }] },
  { prompt: "stop", steps: [look, { say: "Half", stall: true }] },
];
const sends = ["talk", "full", "long", "over", "stop"] as const;
type Act = (typeof sends)[number] | "fork" | "compact" | "reopen";

const isSend = (act: Act): act is (typeof sends)[number] => sends.some((each) => each === act);

async function play(acts: readonly Act[], compaction: Compaction, chars: number): Promise<void> {
  const record = createMemoryEventLog();
  const backend = createMemoryBackend(model);
  const runtime = createAgentRuntime({ backend, models: { default: "m" }, eventLog: record });
  let executed = 0;
  const tool = createTestTool("look", async () => {
    executed += 1;
    return "x".repeat(chars);
  });
  const request = { tools: [tool], stepBudget: 9, compaction };
  let session = await runtime.openSession(request);
  /** Whether the window was full and neither a response nor a new history was logged since. */
  let isFull = false;
  /** The number of compactions that the next run will log. */
  let pending = 0;
  for (const act of acts) {
    if (act === "fork") session = await session.fork();
    if (act === "fork" || act === "reopen") pending = 0;
    if (act === "compact") pending = (await session.compact("drop-tool-results")) ? 1 : pending;
    if (act === "reopen") session = await runtime.openSession({ ...request, id: session.id });
    let isTold = false;
    if (isSend(act)) {
      const before = executed;
      const events = await send(session, act);
      expectRun(events, {
        isFull: isFull && pending === 0 && compaction !== "none",
        pending,
        calls: executed - before,
      });
      pending = 0;
      isTold = events.some(({ type }) => type === "step.finished" || type === "history.replaced");
      const last = backend.sent.at(-1)?.messages ?? [];
      if (act !== "over" && act !== "stop") expect(session.history().slice(0, last.length)).toEqual(last);
      expect(buildHistory(await record.read({ sessionId: session.id }))).toEqual(session.history());
    }
    expect(() => checkHistory(session.history())).not.toThrow();
    if (act === "full") isFull = true;
    else if (isTold || act === "fork") isFull = false;
  }
  await runtime.close();
}

async function send(session: AgentSession, act: string): Promise<RunEvent[]> {
  const run = await session.send(act);
  const events: RunEvent[] = [];
  for await (const event of run) {
    events.push(event);
    if (act === "stop" && event.type === "text.completed") run.stop();
  }
  return events;
}

/** Expects that a run is compacted once before its window is full and once when its history does not fit, and that no call is repeated. */
function expectRun(
  events: readonly RunEvent[],
  { isFull, pending, calls }: { isFull: boolean; pending: number; calls: number },
): void {
  const end = events.at(-1);
  if (end?.type !== "run.finished") throw new Error("A run has no end.");
  const compacted = events.flatMap((event) =>
    event.type === "history.replaced" && event.reason === "compacted" ? [event] : [],
  );
  const measured = compacted.filter((event) => event.measured !== undefined);
  expect(measured.length).toBeLessThanOrEqual(isFull ? 1 : 0);
  expect(compacted.length - measured.length).toBeLessThanOrEqual(1 + pending);
  for (const each of measured) expect(each.measured?.tokens).toBeGreaterThan(850_000);
  expect(end.result.toolCalls).toBe(calls);
  expect(events.filter(({ type }) => type === "tool.started")).toHaveLength(calls);
  const overflowed = end.result.error?.code === "context_overflow";
  expect(["natural", "stopped"].includes(end.result.stopReason) || overflowed).toBe(true);
}

test("a conversation is the same in requests and in the event log, and no call runs twice, at any window size", async () => {
  const act = fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom<Act>(...sends) },
    { weight: 2, arbitrary: fc.constantFrom<Act>("fork", "compact", "reopen") },
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(act, { minLength: 1, maxLength: 8 }),
      fc.constantFrom<Compaction>("none", "drop-tool-results", "summarise"),
      fc.constantFrom(50, 300, 5000),
      play,
    ),
    { numRuns: 50 },
  );
});
