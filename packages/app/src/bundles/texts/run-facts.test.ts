import { type EventDraft, noUsage, type RunEvent } from "@bridle/protocol";
import { expect, test } from "vitest";
import { NewestRunsBuilder } from "./run-facts.ts";
import { RunTexts } from "./run-texts.ts";
import { formatSummary } from "./summary-text.ts";
import { ToolsText } from "./tools-text.ts";
import { TranscriptText } from "./transcript-text.ts";

/** Creates a run with this number of calls. Every second call failed. */
function runOf(calls: number): RunEvent[] {
  const drafts = Array.from({ length: calls }, (_, index): EventDraft[] => {
    const callId = `call ${index}`;
    return [
      { type: "tool.requested", callId, tool: "look", input: { index }, inputHash: "h" },
      { type: "tool.started", callId },
      { type: "tool.finished", callId, ok: index % 2 === 0, durationMs: 1, output: `seen ${index}` },
    ];
  });
  const result = {
    stopReason: "natural",
    text: "",
    steps: 1,
    toolCalls: calls,
    toolFailures: 0,
    usage: noUsage,
  } as const;
  const all: EventDraft[] = [...drafts.flat(), { type: "run.finished", result, durationMs: 1 }];
  return all.map((draft, index) => ({ seq: index + 1, time: index, runId: "a", ...draft }));
}

/** Returns the texts about the events of a run. */
function textsOf(events: readonly RunEvent[]): Record<"transcript" | "tools", string> {
  const [transcript, tools]: [string[], string[]] = [[], []];
  const newest = new NewestRunsBuilder();
  const texts = new RunTexts(
    new TranscriptText({ add: (text) => transcript.push(text) }),
    new ToolsText({ add: (text) => tools.push(text) }),
  );
  for (const event of events) texts.add(event, newest.add(event));
  texts.end();
  return { transcript: transcript.join(""), tools: tools.join("") };
}

test("each call has its own facts, even in a run with tens of thousands of calls", () => {
  const { transcript, tools } = textsOf(runOf(20_000));
  for (const text of [transcript, tools]) {
    expect(text.match(/^## .* at /gm)).toHaveLength(20_000);
    expect(text).toContain("seen 19999");
  }
  expect(transcript).toContain("## Tool look (call 19999) at +59.997 s: failed");
});

test("a summary has the first calls of a run and the number of the others, and the newest runs", () => {
  const newest = new NewestRunsBuilder();
  for (let run = 1; run <= 7; run += 1) for (const event of runOf(100)) newest.add({ ...event, runId: `run ${run}` });
  const { runs, earlier } = newest.facts();
  expect([earlier, runs.map(({ runId }) => runId)]).toEqual([2, ["run 3", "run 4", "run 5", "run 6", "run 7"]]);
  expect(runs[0]?.calls).toMatchObject({ total: 100, first: { length: 8 } });
  expect(formatSummary(newest.facts())).toContain("call: 92 more");
});

const scope = { runId: "a", seq: 1 };
const say = (text: string, time: number): RunEvent => ({ ...scope, time, type: "text.delta", text });

test("a transcript has texts in order, with the retries between them, and one that was cut off", () => {
  const events: RunEvent[] = [
    { ...scope, time: 0, type: "step.started", index: 1 },
    say("Fir", 1),
    { ...scope, time: 2, type: "retry.scheduled", attempt: 1, maxAttempts: 3, delayMs: 5, reason: "It is busy." },
    ...Array.from({ length: 2500 }, (_, index) => say(`${index} `, 3)),
    { ...scope, time: 4, type: "text.completed", text: "The first." },
    { ...scope, time: 5, type: "step.finished", index: 1, budget: 9, usage: noUsage },
    { ...scope, time: 6, type: "step.started", index: 2 },
    ...["The", " sec"].map((text) => say(text, 7)),
  ];
  const { transcript, tools } = textsOf(events);
  expect(transcript.match(/^## .*|^[A-Z>].*/gm)).toEqual([
    "Started: 1970-01-01T00:00:00.000Z",
    "## Retry at +0.002 s: It is busy.; attempt 1 of 3 in 5 ms",
    "## Model",
    "> The first.",
    "## Model (cut off)",
    "> The sec",
    "Answered by: no model",
    "Ended: not in the event log",
    "## Not known",
  ]);
  expect(tools).toBe("No tool was called.\n");
});

test("a transcript of a call that never ends has everything that follows", () => {
  const [asked, started] = runOf(1);
  const steps = Array.from({ length: 5000 }, (_, index): RunEvent[] => [
    { ...scope, time: 1, type: "step.started", index: index + 1 },
    { ...scope, time: 1, type: "text.completed", text: `Answer ${index}.` },
  ]);
  const events = [asked, started, ...steps.flat()].filter((event) => event !== undefined);
  const { transcript, tools } = textsOf(events);
  expect(transcript.match(/^> Answer \d+\.$/gm)).toHaveLength(5000);
  expect(transcript.match(/## Tool look/g)).toHaveLength(1);
  expect(tools).toContain("It started; whether it had its effect is not known.");
});

test("a transcript names the part of a run that continues after events of another", () => {
  const run = runOf(2);
  const other = runOf(1).map((event) => ({ ...event, runId: "b" }));
  const { transcript } = textsOf([...run.slice(0, 3), ...other, ...run.slice(3)]);
  expect(transcript.match(/^# .*/gm)).toEqual(["# a", "# b", "# a, continued"]);
  expect(transcript.match(/seen \d/g)).toEqual(["seen 0", "seen 0", "seen 1"]);
});

test("an answer about a call of a nested run is not shown as one about the call that started it", () => {
  const [asked, started, ended] = runOf(1);
  const answer: RunEvent = {
    ...scope,
    time: 1,
    type: "approval.decided",
    approvalId: "a",
    callId: "call 0",
    decision: "allow",
    source: "answer",
    scope: "once",
    by: "ada",
    input: { id: 8 },
  };
  const texts = (event: RunEvent) => textsOf([asked, started, event, ended].filter((each) => each !== undefined)).tools;
  expect(texts(answer)).toMatch(/Input as a person edited it.*by ada/s);
  expect(texts({ ...answer, nested: { runId: "b", callId: "c" } })).not.toMatch(/edited|ada/);
});
