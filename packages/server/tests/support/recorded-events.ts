/** Handwritten runs in the format of the event log. Each contains one situation that protocols must translate correctly. */
import { type EventDraft, type RunEvent, runEventSchema } from "@bridle/protocol";

const usage = { inputTokens: 10, outputTokens: 5, cacheReadTokens: 100, cacheWriteTokens: 20 };

/** Numbers the events of a run. */
function record(...drafts: readonly EventDraft[]): readonly RunEvent[] {
  return drafts.map((draft, index) => {
    const place = { seq: index + 1, time: 1_700_000_000_000 + index, runId: "run_1", sessionId: "ses_1" };
    return runEventSchema.parse({ ...draft, ...place });
  });
}

const started: EventDraft = {
  type: "run.started",
  operation: "loop",
  backend: "openai",
  model: "desk-model",
  tools: ["lookup"],
  builtins: [],
  stepBudget: 5,
  policy: "none",
};
const begin: EventDraft = { type: "step.started", index: 1, model: "desk-1" };
const end: EventDraft = { type: "step.finished", index: 1, budget: 5, usage };
const delta = (text: string): EventDraft => ({ type: "text.delta", text });
const whole = (text: string): EventDraft => ({ type: "text.completed", text });
const call = { callId: "c1", tool: "lookup", input: { id: "7" }, inputHash: "h7" };
const requested: EventDraft = { type: "tool.requested", ...call };
const retry: EventDraft = { type: "retry.scheduled", attempt: 1, maxAttempts: 3, delayMs: 500, reason: "broke off" };

function asked(callId: string, approvalId: string): EventDraft {
  const about = { ...call, callId, identity: { source: "tools.mjs" }, builtin: false, rule: "ask-lookup" };
  return { type: "approval.requested", approvalId, attempt: 1, ...about, preview: "- order 7", everyTime: false };
}

function finished(stopReason: "natural" | "budget" | "stopped" | "error", more: object = {}): EventDraft {
  const counts = { steps: 1, toolCalls: 0, toolFailures: 0, usage };
  return { type: "run.finished", durationMs: 1, result: { stopReason, text: "", ...counts, ...more } };
}

const decided = { type: "approval.decided", approvalId: "a1", callId: "c1", source: "answer", scope: "once" } as const;

export const recordings = {
  text: record(started, begin, delta("Hel"), delta("lo."), whole("Hello."), end, finished("natural")),
  "text that was not streamed": record(started, begin, whole("Hello."), end, finished("natural")),
  "text that is not what was streamed": record(
    started,
    begin,
    delta("My key is sk"),
    whole("My key is [secret]"),
    end,
    finished("natural"),
  ),
  reasoning: record(
    started,
    begin,
    { type: "reasoning.delta", text: "Hm." } as const,
    { type: "reasoning.completed", text: "Hm." } as const,
    whole("Hello."),
    end,
    finished("natural"),
  ),
  "a call": record(
    started,
    begin,
    whole("I look."),
    end,
    requested,
    { type: "tool.started", callId: "c1" } as const,
    { type: "tool.progress", callId: "c1", message: "half" },
    { type: "tool.finished", callId: "c1", ok: true, durationMs: 3, output: "On its way." },
    finished("natural"),
  ),
  "a call that fails": record(
    started,
    begin,
    end,
    requested,
    { type: "tool.started", callId: "c1" } as const,
    { type: "tool.finished", callId: "c1", ok: false, durationMs: 3, output: "Out of order." },
    finished("natural"),
  ),
  "a call that the rules deny": record(
    started,
    begin,
    end,
    requested,
    { type: "tool.denied", callId: "c1", output: "Not allowed." } as const,
    finished("natural"),
  ),
  "a question with an edited answer": record(
    started,
    begin,
    end,
    requested,
    asked("c1", "a1"),
    { ...decided, decision: "allow", input: { id: "9" }, by: "me" },
    { type: "tool.started", callId: "c1" },
    { type: "tool.finished", callId: "c1", ok: true, durationMs: 3, output: "Nine." },
    finished("natural"),
  ),
  "a question with a denial": record(
    started,
    begin,
    end,
    requested,
    asked("c1", "a1"),
    { ...decided, decision: "deny", message: "No." } as const,
    { type: "tool.denied", callId: "c1", output: "Denied: No." },
    finished("natural"),
  ),
  "a question while another call runs": record(
    started,
    begin,
    end,
    requested,
    { type: "tool.started", callId: "c1" } as const,
    { ...requested, callId: "c2" } as EventDraft,
    asked("c2", "a2"),
    { type: "tool.finished", callId: "c1", ok: true, durationMs: 3, output: "Seven." },
  ),
  "a response that is requested again": record(
    started,
    begin,
    { type: "reasoning.delta", text: "Hm" } as const,
    delta("It was d"),
    retry,
    delta("It is day."),
    whole("It is day."),
    end,
    finished("natural"),
  ),
  "a retry between responses": record(started, begin, whole("One."), end, retry, finished("natural")),
  "a stop in a text": record(started, begin, delta("Once upon"), finished("stopped")),
  "an error": record(
    started,
    begin,
    finished("error", { error: { name: "E", code: "overloaded", message: "Overloaded.", retryable: true } }),
  ),
  "a budget": record(started, begin, whole("One."), end, finished("budget")),
  "an object": record(started, begin, end, finished("natural", { object: { total: 7 } })),
  "a compacted history": record(
    started,
    {
      type: "history.replaced",
      reason: "compacted",
      messages: [{ role: "user", content: [{ type: "text", text: "Short." }] }],
    },
    begin,
    whole("Yes."),
    end,
    finished("natural"),
  ),
  "limits and notices": record(
    started,
    { type: "limit.waiting", window: "five_hour", remainingMs: 5, reason: "usage-limit" },
    { type: "notice", level: "info", code: "x", message: "Note." },
    begin,
    whole("Yes."),
    end,
    { type: "usage.reported", usage } as const,
    finished("natural"),
  ),
} satisfies Record<string, readonly RunEvent[]>;
export type RecordingName = keyof typeof recordings;
