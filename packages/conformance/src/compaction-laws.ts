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

/** A tool whose results are long, and that notes its calls. */
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

async function say(session: AgentSession, prompt: string) {
  const run = await session.send(prompt);
  return { events: await collect(run), result: await run.result };
}

export function compactionLaws(behaviour: Behaviour): void {
  behaviour("that does not fit is made shorter once, and the same prompt is sent again", async (stage) => {
    const record = createMemoryEventLog();
    const { runtime, host } = await stage([first, { prompt: "Second", steps: [tooLong(), { say: "Fits." }] }], {
      eventLog: record,
    });
    const session = await runtime.openSession({ id: "s", tools: [longLook()], stepBudget: 5 });
    await say(session, "First");
    const { events, result } = await say(session, "Second");
    expect(result).toMatchObject({ stopReason: "natural", text: "Fits." });
    expect(ofType(events, "history.replaced")).toMatchObject([{ reason: "compacted", strategy: "drop-tool-results" }]);
    const [before = [], after = []] = host
      .sent()
      .slice(-2)
      .map(({ messages }) => messages);
    expect(JSON.stringify(before)).toContain("xxxxx");
    expect(JSON.stringify(after)).not.toContain("xxxxx");
    expect(inRows(after)).toEqual(inRows(session.history().slice(0, -1)));
    expect(JSON.stringify(record.events({ sessionId: "s" }))).toContain("xxxxx");
  });

  behaviour("that does not fit even then is a ContextOverflowError that says what to do", async (stage) => {
    const { runtime, host } = await stage([
      first,
      { prompt: "Second", steps: [tooLong(), tooLong(), { say: "Never." }] },
    ]);
    const session = await runtime.openSession({ tools: [longLook()], stepBudget: 5 });
    await say(session, "First");
    const { events, result } = await say(session, "Second");
    expect(result).toMatchObject({ stopReason: "error", error: { code: "context_overflow" } });
    expect(ofType(events, "history.replaced")).toHaveLength(1);
    expect(host.sent()).toHaveLength(4);
  });

  behaviour("is made shorter before the model's window is full, with what measured it on record", async (stage) => {
    const full = { prompt: "First", steps: [look("old"), { say: "Seen.", promptTokens: 5_000_000 }] };
    const { runtime, host } = await stage([full, { prompt: "Second", steps: [{ say: "Fits." }] }]);
    const session = await runtime.openSession({ tools: [longLook()], stepBudget: 5 });
    await say(session, "First");
    const { events, result } = await say(session, "Second");
    expect(result.text).toBe("Fits.");
    expect(host.sent()).toHaveLength(3);
    const [replaced] = ofType(events, "history.replaced");
    expect(replaced?.measured).toMatchObject({ compactAt: 0.85 });
    expect(replaced?.measured?.tokens).toBeGreaterThan((replaced?.measured?.contextWindow ?? 0) * 0.85);
    expect(JSON.stringify(host.sent().at(-1)?.messages)).toContain(leftOut);
    expect(inRows(host.sent().at(-1)?.messages ?? [])).toEqual(inRows(session.history().slice(0, -1)));
  });

  behaviour("that grows too long in the middle of a run is made shorter, and no call is made again", async (stage) => {
    const calls: unknown[] = [];
    const middle = { prompt: "Begin", steps: [look("a"), look("b"), tooLong()] };
    const { runtime, host } = await stage([middle, continueTask(look("c"), { say: "All seen." })]);
    const session = await runtime.openSession({ tools: [longLook(calls)], stepBudget: 9 });
    const { events, result } = await say(session, "Begin");
    expect(result).toMatchObject({ stopReason: "natural", text: "All seen.", steps: 4, toolCalls: 3, toolFailures: 0 });
    expect(calls).toEqual(["a", "b", "c"]);
    expect(ofType(events, "history.replaced")).toHaveLength(1);
    const told = host.sent().at(-2)?.messages ?? [];
    expect(callsIn(told)).toEqual(["a", "b"]);
    expect(resultsIn(told)).toEqual([expect.stringContaining(leftOut), expect.stringContaining("end of b")]);
    expect(callsIn(session.history())).toEqual(["a", "b", "c"]);
  });

  behaviour("that does not fit even then, in the middle of a run, is a ContextOverflowError", async (stage) => {
    const calls: unknown[] = [];
    const middle = { prompt: "Begin", steps: [look("a"), tooLong()] };
    const { runtime } = await stage([middle, continueTask(look("b"), tooLong(), { say: "Never." })]);
    const session = await runtime.openSession({ tools: [longLook(calls)], stepBudget: 9 });
    const { events, result } = await say(session, "Begin");
    expect(result).toMatchObject({ stopReason: "error", error: { code: "context_overflow" } });
    expect(ofType(events, "history.replaced")).toHaveLength(1);
    expect(calls).toEqual(["a", "b"]);
    expect(callsIn(session.history())).toEqual(["a", "b"]);
  });

  behaviour("is made shorter in a run of no session, too, within what is left of its budget", async (stage) => {
    const record = createMemoryEventLog();
    const calls: unknown[] = [];
    const middle = { prompt: "Begin", steps: [look("a"), look("b"), tooLong()] };
    const { runtime } = await stage([middle, continueTask(look("c"), look("d"), { say: "Never." })], {
      eventLog: record,
    });
    const run: AgentRun = runtime.runAgentLoop({ prompt: "Begin", tools: [longLook(calls)], stepBudget: 3 });
    expect(await run.result).toMatchObject({ stopReason: "budget", steps: 3 });
    expect(calls.slice(0, 2)).toEqual(["a", "b"]);
    expect(calls).not.toContain("d");
    expect(callsIn(buildHistory(record.events({ runId: run.id }))).slice(0, 2)).toEqual(["a", "b"]);
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
