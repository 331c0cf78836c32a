import type { SessionUpdate } from "@agentclientprotocol/sdk";
import { type EventDraft, noUsage, type RunEvent } from "@bridle/protocol";
import { expect, test } from "vitest";
import { brokenOff } from "./message-updates.ts";
import { type SessionUpdateOptions, SessionUpdates } from "./session-updates.ts";

const usage = { ...noUsage, inputTokens: 100, cacheReadTokens: 900, outputTokens: 20 };
const step = (index: number): EventDraft => ({ type: "step.finished", index, budget: 20, usage });

/** Converts the events of one run to updates. */
function fold(
  drafts: readonly EventDraft[],
  options: SessionUpdateOptions = {},
  updates = new SessionUpdates(options),
) {
  const events = drafts.map((draft, at): RunEvent => ({ ...draft, seq: at + 1, time: 1000, runId: "run_1" }));
  return events.flatMap((event) => updates.add(event));
}

/** Joins the texts of chunks, with a prefix for each kind and a bar between messages. */
function read(updates: readonly SessionUpdate[]): string {
  let last: unknown;
  return updates
    .map((update) => {
      if (!("content" in update) || !("messageId" in update) || Array.isArray(update.content)) return "";
      const begins = update.messageId !== last;
      last = update.messageId;
      const mark = update.sessionUpdate === "agent_thought_chunk" ? "?" : "";
      return `${begins ? "|" : "+"}${mark}${update.content?.type === "text" ? update.content.text : ""}`;
    })
    .join("");
}

const started: EventDraft = { type: "step.started", index: 1 };
const text = (part: string): EventDraft => ({ type: "text.delta", text: part });
const whole = (all: string): EventDraft => ({ type: "text.completed", text: all });
const retry: EventDraft = { type: "retry.scheduled", attempt: 1, maxAttempts: 3, delayMs: 0, reason: "overloaded" };

test.each<[string, readonly EventDraft[], string]>([
  ["in pieces", [started, text("On "), text("its way."), whole("On its way.")], "|On +its way."],
  ["whole, without pieces", [started, whole("On its way.")], "|On its way."],
  ["of which the last piece is missing", [started, text("On "), whole("On its way.")], "|On +its way."],
  ["that was corrected", [started, text("tok"), whole("[redacted]")], "|tok|[redacted]"],
  ["in two blocks", [started, text("A"), whole("A"), text("B"), whole("B")], "|A|B"],
  [
    "of two responses",
    [started, text("A"), whole("A"), step(1), { type: "step.started", index: 2 }, text("B")],
    "|A|B",
  ],
  ["that is empty", [started, text(""), whole("")], ""],
  [
    "after reasoning",
    [started, { type: "reasoning.delta", text: "Hm" }, { type: "reasoning.completed", text: "Hm." }, text("A")],
    "|?Hm+?.|A",
  ],
  [
    "of a response that broke off",
    [started, text("On"), retry, text("On its"), whole("On its")],
    `|On|${brokenOff}|On its`,
  ],
  ["after a retry before any text", [started, retry, whole("A")], "|A"],
])("text %s is sent as chunks of messages", (_what, events, expected) => {
  expect(read(fold(events))).toBe(expected);
});

const requested = (tool: string, input: unknown): EventDraft => ({
  type: "tool.requested",
  callId: "call_1",
  tool,
  input,
  inputHash: "h",
});

test("a call begins as pending, runs, and ends with the reply that the model gets", () => {
  const updates = fold([
    requested("lookup_order", { id: "A-1001", verbose: true }),
    { type: "tool.evaluated", callId: "call_1", decision: "allow", rule: "default" },
    { type: "tool.started", callId: "call_1" },
    { type: "tool.progress", callId: "call_1", message: "asking" },
    { type: "tool.finished", callId: "call_1", ok: true, durationMs: 3, output: "shipped", structured: { days: 2 } },
  ]);
  const content = (text: string) => [{ type: "content", content: { type: "text", text } }];
  const update = { sessionUpdate: "tool_call_update", toolCallId: "call_1" };
  expect(updates).toEqual([
    {
      sessionUpdate: "tool_call",
      toolCallId: "call_1",
      status: "pending",
      title: "lookup_order: A-1001",
      name: "lookup_order",
      kind: "other",
      content: [],
      locations: [],
      rawInput: { id: "A-1001", verbose: true },
    },
    { ...update, status: "in_progress" },
    { ...update, content: content("asking") },
    { ...update, status: "completed", content: content("shipped"), rawOutput: { days: 2 } },
  ]);
});

test.each<[string, EventDraft]>([
  ["fails", { type: "tool.finished", callId: "call_1", ok: false, durationMs: 3, output: "no such order" }],
  ["is denied", { type: "tool.denied", callId: "call_1", output: "no such order" }],
])("a call that %s is shown as failed with its reason", (_what, end) => {
  const content = [{ type: "content", content: { type: "text", text: "no such order" } }];
  expect(fold([requested("lookup_order", {}), end]).at(-1)).toMatchObject({ status: "failed", content });
});

test.each([
  ["Bash", { command: "ls\n  -l" }, { kind: "execute", title: "Bash: ls -l" }],
  ["Read", { file_path: "/a/b.ts" }, { kind: "read", locations: [{ path: "/a/b.ts" }] }],
  ["Write", { file_path: "/a", content: "x" }, { kind: "edit", content: [{ type: "diff", path: "/a", newText: "x" }] }],
  [
    "Edit",
    { file_path: "/a", old_string: "x", new_string: "y" },
    { kind: "edit", content: [{ type: "diff", path: "/a", oldText: "x", newText: "y" }] },
  ],
  ["toString", { file_path: "/a" }, { kind: "other", locations: [] }],
  ["lookup", "no object", { kind: "other", title: "lookup" }],
])("a call of %s has its kind, title and files", (tool, input, expected) => {
  expect(fold([requested(tool, input)])[0]).toMatchObject(expected);
});

test("a call whose id another run has used is another call", () => {
  const updates = new SessionUpdates();
  fold([requested("a", {})], {}, updates);
  const [second, done] = fold([requested("b", {}), { type: "tool.started", callId: "call_1" }], {}, updates);
  expect([second, done]).toMatchObject([{ toolCallId: "run_1/call_1" }, { toolCallId: "run_1/call_1" }]);
});

test("the input that a person entered replaces that of the model", () => {
  const decided: EventDraft = {
    type: "approval.decided",
    approvalId: "a",
    callId: "call_1",
    decision: "allow",
    source: "answer",
    scope: "once",
    input: { id: "B" },
  };
  expect(fold([requested("a", { id: "A" }), decided])[1]).toMatchObject({ rawInput: { id: "B" } });
});

test("the context is measured after each response, if the size of the window is known", () => {
  const reported: EventDraft = { type: "usage.reported", usage, contextWindow: 200_000 };
  const cost = { usd: 0.25, estimate: false };
  expect(fold([step(1)])).toEqual([]);
  expect(fold([reported, { ...step(1), cost } as EventDraft, { ...step(2), cost } as EventDraft])).toEqual([
    { sessionUpdate: "usage_update", used: 1020, size: 200_000, cost: { amount: 0.25, currency: "USD" } },
    { sessionUpdate: "usage_update", used: 1020, size: 200_000, cost: { amount: 0.5, currency: "USD" } },
  ]);
});

test("a wait for a usage window is said once, and notices only go to clients that show them", () => {
  const waiting: EventDraft = { type: "limit.waiting", window: "5h", remainingMs: 1000, reason: "usage-limit" };
  const notice: EventDraft = { type: "notice", level: "warning", code: "c", message: "Something." };
  const said = "The usage window 5h is used up. The run continues at 1970-01-01T00:00:02.000Z.";
  expect(read(fold([waiting, waiting, notice]))).toBe(`|?${said}`);
  expect(fold([waiting, { type: "limit.cleared", window: "5h" }, notice], { notices: true })).toEqual([
    { sessionUpdate: "notice", severity: "warning", title: said },
    { sessionUpdate: "notice", severity: "warning", title: "Something." },
  ]);
});

test("an answer that is an object is sent as JSON", () => {
  const result = {
    stopReason: "natural",
    text: "",
    object: { ok: true },
    steps: 1,
    toolCalls: 0,
    toolFailures: 0,
    usage,
  } as const;
  expect(read(fold([{ type: "run.finished", result, durationMs: 1 }]))).toBe('|```json\n{\n  "ok": true\n}\n```');
});
