import { createMemoryEventLog } from "@bridle/core";
import {
  type AgentRun,
  type AgentSession,
  type AnyTool,
  buildHistory,
  defineTool,
  type HistoryMessage,
} from "@bridle/protocol";
import { expect } from "vitest";
import { z } from "zod";
import { type Behaviour, collect, ofType } from "./harness.ts";
import { inRows } from "./in-rows.ts";
import type { ScriptedStep } from "./scripted-model.ts";

const tooLong = (): ScriptedStep => ({ fail: "context-overflow" });
const look = (value: string): ScriptedStep => ({ calls: [{ tool: "look", input: { value } }] });

/** Creates a tool with long results that adds its inputs to `calls`. */
function longLook(calls: unknown[] = []): AnyTool {
  return defineTool({
    name: "look",
    description: "Finds a lot.",
    input: z.object({ value: z.string() }),
    execute: async ({ value }) => {
      calls.push(value);
      return `${value} is found: ${"x".repeat(3000)} end of ${value}`;
    },
  });
}

const first = { prompt: "First", steps: [look("old"), { say: "Seen." }] };
const continueTask = (...steps: ScriptedStep[]) => ({ prompt: "Continue the task", steps });
const leftOut = "was left out to make room";

async function send(session: AgentSession, prompt: string) {
  const run = await session.send(prompt);
  return { events: await collect(run), result: await run.result };
}

export function compactionLaws(behaviour: Behaviour): void {
  behaviour("that is too long is compacted once, and the same prompt is sent again", async (start) => {
    const eventLog = createMemoryEventLog();
    const { runtime, host } = await start([first, { prompt: "Second", steps: [tooLong(), { say: "Fits." }] }], {
      eventLog: eventLog,
    });
    const session = await runtime.openSession({ id: "s", tools: [longLook()], stepBudget: 5 });
    await send(session, "First");
    const { events, result } = await send(session, "Second");
    expect(result).toMatchObject({ stopReason: "natural", text: "Fits." });
    expect(ofType(events, "history.replaced")).toMatchObject([{ reason: "compacted", strategy: "drop-tool-results" }]);
    const [before = [], after = []] = host
      .sent()
      .slice(-2)
      .map(({ messages }) => messages);
    expect(JSON.stringify(before)).toContain("xxxxx");
    expect(JSON.stringify(after)).not.toContain("xxxxx");
    expect(inRows(after)).toEqual(inRows(session.history().slice(0, -1)));
    expect(JSON.stringify(await eventLog.read({ sessionId: "s" }))).toContain("xxxxx");
  });

  behaviour("that is still too long after compaction ends with a ContextOverflowError", async (start) => {
    const { runtime, host } = await start([
      first,
      { prompt: "Second", steps: [tooLong(), tooLong(), { say: "Never." }] },
    ]);
    const session = await runtime.openSession({ tools: [longLook()], stepBudget: 5 });
    await send(session, "First");
    const { events, result } = await send(session, "Second");
    expect(result).toMatchObject({ stopReason: "error", error: { code: "context_overflow" } });
    expect(ofType(events, "history.replaced")).toHaveLength(1);
    expect(host.sent()).toHaveLength(4);
  });

  behaviour("is compacted before the model's window is full, and the measurement is logged", async (start) => {
    const full = { prompt: "First", steps: [look("old"), { say: "Seen.", promptTokens: 5_000_000 }] };
    const { runtime, host } = await start([full, { prompt: "Second", steps: [{ say: "Fits." }] }]);
    const session = await runtime.openSession({ tools: [longLook()], stepBudget: 5 });
    await send(session, "First");
    const { events, result } = await send(session, "Second");
    expect(result.text).toBe("Fits.");
    expect(host.sent()).toHaveLength(3);
    const [replaced] = ofType(events, "history.replaced");
    expect(replaced?.measured).toMatchObject({ compactAt: 0.85 });
    expect(replaced?.measured?.tokens).toBeGreaterThan((replaced?.measured?.contextWindow ?? 0) * 0.85);
    expect(JSON.stringify(host.sent().at(-1)?.messages)).toContain(leftOut);
    expect(inRows(host.sent().at(-1)?.messages ?? [])).toEqual(inRows(session.history().slice(0, -1)));
  });

  behaviour("that becomes too long during a run is compacted, and no call is repeated", async (start) => {
    const calls: unknown[] = [];
    const middle = { prompt: "Begin", steps: [look("a"), look("b"), tooLong()] };
    const { runtime, host } = await start([middle, continueTask(look("c"), { say: "All seen." })]);
    const session = await runtime.openSession({ tools: [longLook(calls)], stepBudget: 9 });
    const { events, result } = await send(session, "Begin");
    expect(result).toMatchObject({ stopReason: "natural", text: "All seen.", steps: 4, toolCalls: 3, toolFailures: 0 });
    expect(calls).toEqual(["a", "b", "c"]);
    expect(ofType(events, "history.replaced")).toHaveLength(1);
    const sent = host.sent().at(-2)?.messages ?? [];
    expect(callsIn(sent)).toEqual(["a", "b"]);
    expect(resultsIn(sent)).toEqual([expect.stringContaining(leftOut), expect.stringContaining("end of b")]);
    expect(callsIn(session.history())).toEqual(["a", "b", "c"]);
  });

  behaviour("that is still too long during a run ends with a ContextOverflowError", async (start) => {
    const calls: unknown[] = [];
    const middle = { prompt: "Begin", steps: [look("a"), tooLong()] };
    const { runtime } = await start([middle, continueTask(look("b"), tooLong(), { say: "Never." })]);
    const session = await runtime.openSession({ tools: [longLook(calls)], stepBudget: 9 });
    const { events, result } = await send(session, "Begin");
    expect(result).toMatchObject({ stopReason: "error", error: { code: "context_overflow" } });
    expect(ofType(events, "history.replaced")).toHaveLength(1);
    expect(calls).toEqual(["a", "b"]);
    expect(callsIn(session.history())).toEqual(["a", "b"]);
  });

  behaviour("is compacted in a run without a session too, within the rest of its budget", async (start) => {
    const eventLog = createMemoryEventLog();
    const calls: unknown[] = [];
    const middle = { prompt: "Begin", steps: [look("a"), look("b"), tooLong()] };
    const { runtime } = await start([middle, continueTask(look("c"), look("d"), { say: "Never." })], {
      eventLog: eventLog,
    });
    const run: AgentRun = runtime.runAgentLoop({ prompt: "Begin", tools: [longLook(calls)], stepBudget: 3 });
    expect(await run.result).toMatchObject({ stopReason: "budget", steps: 3 });
    expect(calls.slice(0, 2)).toEqual(["a", "b"]);
    expect(calls).not.toContain("d");
    expect(callsIn(buildHistory(await eventLog.read({ runId: run.id }))).slice(0, 2)).toEqual(["a", "b"]);
  });
}

function callsIn(history: readonly HistoryMessage[]): unknown[] {
  return history.flatMap(({ content }) =>
    content.flatMap((part) => (part.type === "tool-call" ? [Object(part.input).value] : [])),
  );
}

function resultsIn(history: readonly HistoryMessage[]): string[] {
  return history.flatMap(({ content }) =>
    content.flatMap((part) => (part.type === "tool-result" ? [part.output] : [])),
  );
}
