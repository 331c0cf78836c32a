import type { EventDraft, RunEvent } from "@bridle/protocol";
import { describe, expect, test } from "vitest";
import { addNote, type ChatView, createView, enterSession, listItems } from "./chat-view.ts";
import { reduceChatView } from "./reduce-chat-view.ts";

const usage = { inputTokens: 10, outputTokens: 5, cacheReadTokens: 0, cacheWriteTokens: 0 };
const result = { stopReason: "natural" as const, text: "", steps: 1, toolCalls: 1, toolFailures: 0, usage };
const call = { callId: "c1", tool: "look", input: { id: 1 }, inputHash: "h" };

function events(...drafts: EventDraft[]): RunEvent[] {
  return drafts.map((draft, index) => ({ ...draft, seq: index + 1, time: 1000 * index, runId: "r", sessionId: "s" }));
}

function fold(view: ChatView, ...drafts: EventDraft[]): ChatView {
  return events(...drafts).reduce(reduceChatView, view);
}

const prompt = (text: string): EventDraft => ({
  type: "model.input",
  turn: 1,
  sha256: "",
  artifact: "",
  implicitSources: [],
  hostAdds: [],
  messages: [{ role: "user", content: [{ type: "text", text }] }],
});

describe("a chat view", () => {
  test("shows the prompt immediately, and shows it once when the event log has it", () => {
    const sent: ChatView = { ...createView("s"), sending: { text: "Hello", attachments: [] } };
    expect(listItems(sent).map(({ kind }) => kind)).toEqual(["user"]);
    expect(listItems(fold(sent, prompt("Hello"))).map(({ kind }) => kind)).toEqual(["user"]);
  });

  test("shows notes in the order in which they appeared", () => {
    let view = fold(createView("s"), prompt("Hello"));
    view = addNote(view, "beside");
    view = fold(view, { type: "step.started", index: 1 }, { type: "text.delta", text: "Hi" });
    expect(listItems(view)).toMatchObject([{ kind: "user" }, { text: "beside" }, { kind: "text", text: "Hi" }]);
  });

  test("has the calls in progress with their start times until they end", () => {
    const running = fold(createView("s"), { type: "tool.requested", ...call }, { type: "tool.started", callId: "c1" });
    expect(running.calls).toEqual({ c1: { tool: "look", startedAt: 1000 } });
    const end: EventDraft = { type: "tool.finished", callId: "c1", ok: true, durationMs: 3, output: "found" };
    expect(fold(running, end).calls).toEqual({});
    expect(listItems(fold(running, end))).toMatchObject([{ state: "succeeded", durationMs: 3, output: "found" }]);
  });

  test("removes the text of a step that is retried", () => {
    const retry: EventDraft = { type: "retry.scheduled", attempt: 2, maxAttempts: 3, delayMs: 1, reason: "overloaded" };
    const begun = fold(createView("s"), { type: "step.started", index: 1 }, { type: "text.delta", text: "void" });
    expect(listItems(fold(begun, retry))).toEqual([]);
  });

  test("adds up tokens during a run, and counts them once after its end", () => {
    const report: EventDraft = { type: "usage.reported", usage, cost: { usd: 0.1, estimate: false } };
    const going = fold(createView("s"), report, report);
    expect(going.current).toEqual({
      usage: { ...usage, inputTokens: 20, outputTokens: 10 },
      cost: { usd: 0.2, estimate: false },
    });
    const ended = fold(going, { type: "run.finished", result, durationMs: 1 });
    expect(ended.current.usage.inputTokens).toBe(0);
    expect(ended.totals).toMatchObject({ runs: 1, usage });
    expect(ended.run).toBeUndefined();
  });

  test("has the last reported state of the usage window", () => {
    const warned = fold(createView("s"), { type: "limit.warned", window: "five_hour", utilization: 0.9, resetsAt: 5 });
    expect(warned.window).toEqual({ window: "five_hour", state: "warned", utilization: 0.9, resetsAt: 5 });
    const reached = fold(warned, { type: "limit.reached", window: "five_hour" });
    expect(reached.window).toEqual({ window: "five_hour", state: "used up" });
    expect(fold(reached, { type: "limit.cleared", window: "five_hour" }).window).toBeUndefined();
  });

  test("keeps its entries when another session is entered, and adds the session's newest entries and totals", () => {
    const before = addNote(fold(createView("s"), prompt("Hello")), "note");
    const other = events(prompt("first"), prompt("second"), prompt("third"), {
      type: "run.finished",
      result,
      durationMs: 1,
    });
    const view = enterSession(before, "t", other, 2);
    expect(view).toMatchObject({ session: "t", totals: { runs: 1, usage } });
    expect(listItems(view)).toMatchObject([
      { kind: "user" },
      { text: "note" },
      { kind: "note", text: '… 1 earlier entries; "bridle sessions show" shows them all.' },
      { message: { content: [{ text: "second" }] } },
      { message: { content: [{ text: "third" }] } },
    ]);
  });
});
