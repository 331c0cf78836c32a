import { type EventDraft, noUsage, type RunEvent, type SessionSnapshot } from "@bridle/protocol";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fingerprintHistory } from "../run/fingerprint.ts";
import { sha256 } from "../system/hash.ts";
import { SessionState } from "./session-state.ts";

const usage = { ...noUsage, inputTokens: 7 };
const result = { stopReason: "natural", text: "", steps: 1, toolCalls: 1, toolFailures: 0, usage } as const;
const callId = fc.constantFrom("1", "2", "3", "a b");
const words = fc.string({ unit: "binary", minLength: 1, maxLength: 4 });
const input = fc.dictionary(fc.constantFrom("b", "a", "10", "2"), fc.jsonValue(), { maxKeys: 3 });

const begun: EventDraft = {
  type: "run.started",
  operation: "loop",
  backend: "b",
  model: "m",
  tools: [],
  builtins: [],
  stepBudget: 9,
  policy: "p",
};
const asked = (text: string): EventDraft => ({
  type: "model.input",
  turn: 1,
  sha256: "0",
  artifact: "0",
  implicitSources: [],
  hostAdds: [],
  messages: [{ role: "user", content: text }],
});
const started: EventDraft = { type: "step.started", index: 1 };
const requested = (id: string, given: unknown): EventDraft => ({
  type: "tool.requested",
  callId: id,
  tool: "t",
  input: given,
  inputHash: "0",
});
const finished = (id: string): EventDraft => ({
  type: "tool.finished",
  callId: id,
  ok: true,
  durationMs: 1,
  output: `of ${id}`,
  artifact: `all of ${id}`,
});
const question = (id: string): EventDraft => ({
  type: "approval.requested",
  approvalId: id,
  callId: id,
  tool: "t",
  input: {},
  inputHash: "0",
  attempt: 1,
  builtin: false,
  rule: "r",
  everyTime: false,
});
const answer = (id: string): EventDraft => ({
  type: "approval.decided",
  approvalId: id,
  callId: id,
  decision: "allow",
  source: "answer",
  scope: "once",
});
const ended: EventDraft = { type: "run.finished", result, durationMs: 1 };
const replaced = (reason: "edited" | "compacted", id: string): EventDraft => ({
  type: "history.replaced",
  reason,
  messages: [
    { role: "assistant", content: [{ type: "tool-call", callId: id, tool: "t", input: { b: 1, a: 2 } }] },
    { role: "user", content: [{ type: "tool-result", callId: id, output: "o", isError: false }] },
  ],
});

/** Turns as runs write them, complete or broken off, with questions that stay open and reused ids. */
const turn: fc.Arbitrary<EventDraft[]> = fc
  .tuple(words, callId, input, fc.subarray(["replace", "ask", "answer", "call", "say", "compact", "open", "late"]))
  .map(([text, id, given, acts]) => [
    ...(acts.includes("late") ? [answer(id)] : []),
    begun,
    ...(acts.includes("replace") ? [replaced("edited", id)] : []),
    asked(text),
    started,
    requested(id, given),
    ...(acts.includes("ask") ? [question(id)] : []),
    ...(acts.includes("answer") ? [answer(id)] : []),
    ...(acts.includes("call") ? [finished(id)] : []),
    ...(acts.includes("compact") ? [replaced("compacted", id)] : []),
    ...(acts.includes("say") ? [{ type: "text.completed", text } as const] : []),
    { type: "step.finished", index: 1, budget: 9, usage },
    ...(acts.includes("open") ? [] : [ended]),
  ]);

/** Events in orders that no run writes. */
const anything: fc.Arbitrary<EventDraft[]> = fc
  .oneof(
    callId.map(finished),
    callId.map(question),
    callId.map(answer),
    callId.map((id) => requested(id, {})),
    callId.map((id): EventDraft => ({ type: "tool.started", callId: id })),
    callId.map((id): EventDraft => ({ type: "tool.progress", callId: id, message: "half" })),
    callId.map((id) => replaced("compacted", id)),
    words.map((text): EventDraft => ({ type: "text.delta", text })),
    words.map((text): EventDraft => ({ type: "text.completed", text })),
    words.map(asked),
    fc.constantFrom<EventDraft>(started, ended, begun, {
      type: "retry.scheduled",
      attempt: 1,
      maxAttempts: 3,
      delayMs: 0,
      reason: "cut",
    }),
    fc.constant<EventDraft>({ type: "run.finished", result: { ...result, object: { b: 1, a: 2 } }, durationMs: 1 }),
  )
  .map((draft) => [draft]);

function placed(turns: readonly (readonly EventDraft[])[]): RunEvent[] {
  const drafts = turns.flatMap((draftsOf, run) => draftsOf.map((draft) => ({ ...draft, runId: `run_${run}` })));
  return drafts.map((draft, index) => ({ ...draft, seq: index + 1, time: 0, sessionId: "s" }));
}

function describeState(state: SessionState, pending: readonly RunEvent[] = []): string {
  const { totals, usage: measured, steps, lastSeq, approvals, results } = state;
  return JSON.stringify([state.history(pending), totals, measured, steps, lastSeq, approvals, [...results]]);
}

/**
 * Reads events into a state that settles at the positions in `cuts`. Returns whether the state reports that it must be derived from all
 * events.
 */
function play(state: SessionState, events: readonly RunEvent[], cuts: ReadonlySet<number>) {
  const snapshots: SessionSnapshot[] = [];
  let needsAll = false;
  for (const event of events) {
    if (!state.add(event)) needsAll = true;
    const snapshot = !needsAll && cuts.has(event.seq) ? state.settle((json) => json.replaceAll("1", "2")) : undefined;
    if (snapshot) snapshots.push(JSON.parse(JSON.stringify(snapshot)));
  }
  return { needsAll, snapshots };
}

function expectSame(turns: readonly (readonly EventDraft[])[], cuts: readonly number[]): { used: boolean } {
  const events = placed(turns);
  const whole = new SessionState();
  play(whole, events, new Set());
  const settling = new SessionState();
  const { needsAll, snapshots } = play(settling, events, new Set(cuts));
  if (!needsAll) expect(describeState(settling)).toBe(describeState(whole));
  let used = false;
  for (let count = 1; count <= snapshots.length; count++) {
    const reopened = SessionState.from(snapshots.slice(0, count));
    const rest = events.slice(reopened.lastSeq);
    expect(reopened.lastSeq).toBe(snapshots[count - 1]?.seq);
    if (play(reopened, rest, new Set()).needsAll) continue;
    used = true;
    expect(describeState(reopened)).toBe(describeState(whole));
    expect(fingerprintHistory(reopened.history())).toBe(fingerprintHistory(structuredClone(whole.history())));
    const pending = placed([...turns, [answer("1")]]).slice(-1);
    if (reopened.canContinueWith(pending)) expect(describeState(reopened, pending)).toBe(describeState(whole, pending));
  }
  return { used };
}

describe("the state of a session", () => {
  test.each([
    ["runs", turn],
    ["any events", fc.oneof(turn, anything)],
  ])("from snapshots and the events after them is the same as from all events, for %s", (_title, part) => {
    let used = 0;
    const run = fc.property(
      fc.array(part, { maxLength: 14 }),
      fc.array(fc.integer({ min: 1, max: 120 }), { maxLength: 20 }),
      (turns, cuts) => {
        if (expectSame(turns, cuts).used) used += 1;
      },
    );
    fc.assert(run, { numRuns: 1000 });
    expect(used).toBeGreaterThan(50);
  });

  test("is read from events if a snapshot has another form, is cut off, or does not continue the one before", () => {
    const events = placed([
      [begun, asked("One"), ended],
      [begun, asked("Two"), ended],
      [begun, asked("Three"), ended],
    ]);
    const { snapshots } = play(new SessionState(), events, new Set([6, 9]));
    const [first, second] = snapshots;
    if (!first || !second) throw new Error("There are not two snapshots.");
    const changes: SessionSnapshot[][] = [
      [{ ...first, content: first.content.replace('"form":', '"form":9') }, second],
      [{ ...first, content: first.content.slice(0, 40) }, second],
      [{ ...first, content: first.content.replace("\n[", "\n[[") }, second],
      [{ ...first, content: "" }],
      [first, { ...second, content: "null\n\n" }],
      [first, { ...second, after: 5 }],
      [second],
    ];
    for (const changed of changes) expect(SessionState.from(changed).lastSeq).toBe(0);
    expect(SessionState.from(snapshots).lastSeq).toBe(9);
  });

  test("is not settled while a call waits for an answer, so that a late one changes no snapshot", () => {
    const turns = [
      [begun, asked("One"), started, requested("1", {}), question("1"), ended],
      [begun, asked("Two"), ended],
    ];
    expect(play(new SessionState(), placed(turns), new Set([9])).snapshots).toEqual([]);
    const answered = [...turns, [answer("1"), begun, asked("Three"), ended]];
    expect(play(new SessionState(), placed(answered), new Set([9, 13])).snapshots).toHaveLength(1);
  });

  test("has a fingerprint of all messages, in snapshots or not", () => {
    const state = new SessionState();
    play(
      state,
      placed([
        [begun, asked("One"), ended],
        [begun, asked("Two"), ended],
      ]),
      new Set([6]),
    );
    const text = (each: string) => `{"content":[{"text":"${each}","type":"text"}],"role":"user"}`;
    expect(fingerprintHistory(state.history())).toBe(sha256(`[${text("One")},${text("Two")}]`));
  });
});
