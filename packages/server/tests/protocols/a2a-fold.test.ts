import type { RunEvent } from "@bridle/protocol";
import { expect, test } from "vitest";
import { A2aFold } from "../../src/protocols/a2a/a2a-fold.ts";
import type { A2aUpdate } from "../../src/protocols/a2a/a2a-objects.ts";
import { type RecordingName, recordings } from "../support/recorded-events.ts";

/** Folds the events of a run up to a number into a task, and the other events into updates. */
function fold(name: RecordingName, after = 0) {
  const events: readonly RunEvent[] = recordings[name];
  const a2a = new A2aFold({ runId: "run_1", sessionId: "ses_1" });
  for (const event of events) if (event.seq <= after) a2a.skip(event);
  const told: A2aUpdate[] = [];
  for (const event of events) if (event.seq > after && !a2a.isOver) told.push(...a2a.next(event));
  return { a2a, told };
}

function outline(update: A2aUpdate): string {
  if ("task" in update) return "task";
  if ("statusUpdate" in update) {
    const { status, metadata } = update.statusUpdate;
    const state = status.state.replace("TASK_STATE_", "").toLowerCase();
    return metadata?.bridle.type === undefined ? state : `${state} ${metadata.bridle.type}`;
  }
  const { artifact, append, lastChunk } = update.artifactUpdate;
  const text = artifact.parts.map((part) => part.text).join("");
  return `${append ? "+" : "="}${artifact.artifactId.replace("run_1-", "")} ${text}${lastChunk ? "." : ""}`;
}

test.each<[RecordingName, string[]]>([
  ["text", ["=3 Hel", "+3 lo.", "+3 .", "completed"]],
  ["text that was not streamed", ["=3 Hello.", "+3 .", "completed"]],
  ["text that is not what was streamed", ["=3 My key is sk", "=3 My key is [secret].", "completed"]],
  ["reasoning", ["=5 Hello.", "+5 .", "completed"]],
  [
    "a call",
    ["=3 I look.", "+3 .", "working tool.started", "working tool.progress", "working tool.finished", "completed"],
  ],
  ["a call that the rules deny", ["working tool.denied", "completed"]],
  ["a question with an edited answer", ["input_required"]],
  ["a question while another call runs", ["working tool.started", "working tool.finished", "input_required"]],
  ["a response that is requested again", ["=4 It was d", "+4 .", "=4 It is day.", "+4 .", "completed"]],
  ["a retry between responses", ["=3 One.", "+3 .", "completed"]],
  ["a stop in a text", ["=3 Once upon", "+3 .", "canceled"]],
  ["an error", ["failed"]],
  ["a budget", ["=3 One.", "+3 .", "failed"]],
  ["an object", ['={"total":7}'.replace("=", "=4 "), "+4 .", "completed"]],
])("an A2A client sees a run with %s", (name, expected) => {
  expect(fold(name).told.map(outline)).toEqual(expected);
});

test("a task that is read later is what the stream of its events has made, but for a text that broke off", () => {
  for (const name of Object.keys(recordings) as RecordingName[]) {
    if (name === "a stop in a text") continue; // tasks are folded without text deltas
    const events: readonly RunEvent[] = recordings[name];
    const read = new A2aFold({ runId: "run_1", sessionId: "ses_1" });
    for (const event of events) if (!event.type.endsWith(".delta")) read.skip(event);
    const streamed = fold(name, events.length).a2a.task;
    const texts = ({ artifacts }: typeof streamed) => artifacts.map(({ parts }) => parts);
    expect([texts(read.task), read.task.status.state], name).toEqual([texts(streamed), streamed.status.state]);
  }
});

test("a task that was asked something is worked on again after its answer, which is in its history", () => {
  const a2a = new A2aFold({ runId: "run_1", sessionId: "ses_1" });
  for (const event of recordings["a question with an edited answer"].slice(0, 6)) a2a.skip(event);
  expect([a2a.state, a2a.openQuestions]).toEqual(["TASK_STATE_WORKING", []]);
  expect(a2a.task.history).toMatchObject([
    { role: "ROLE_AGENT", parts: [{}, { data: { approvalId: "a1", tool: "lookup", input: { id: "7" } } }] },
    { role: "ROLE_USER", parts: [{ data: { approvalId: "a1", decision: "allow", input: { id: "9" } } }] },
  ]);
  expect(fold("a question with an edited answer", 6).told.map(outline)).toEqual([
    "working tool.started",
    "working tool.finished",
    "completed",
  ]);
});

test("a text that the next try has not is emptied for the client", () => {
  const [started, begin, , , , ...rest] = recordings["a response that is requested again"];
  const delta = { ...recordings.text[2], seq: 3 } as RunEvent;
  const retry = { ...recordings["a response that is requested again"][4], seq: 4 } as RunEvent;
  const end = rest.findLast(({ type }) => type === "step.finished");
  const finish = rest.findLast(({ type }) => type === "run.finished");
  const a2a = new A2aFold({ runId: "run_1", sessionId: "ses_1" });
  const events = [started, begin, delta, retry, end, finish].flatMap((event) => (event ? [event as RunEvent] : []));
  const told = events.flatMap((event) => a2a.next(event));
  expect(told.map(outline)).toEqual(["=3 Hel", "+3 .", "=3 .", "completed"]);
  expect(a2a.task.artifacts).toEqual([]);
});
