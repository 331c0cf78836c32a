import { expect, test } from "vitest";
import type { UiChunk } from "../../src/protocols/ai-sdk/ui-chunks.ts";
import { UiFold } from "../../src/protocols/ai-sdk/ui-fold.ts";
import { type RecordingName, recordings } from "../support/recorded-events.ts";

/** Folds the events of a run, from an event on, into the chunks of one response. */
function fold(name: RecordingName, { after = 0, pausesAfter = 0 } = {}): UiChunk[] {
  const ui = new UiFold({ pausesAfter });
  const events = recordings[name];
  for (const event of events) if (event.seq <= after) ui.skip(event);
  const told = ui.begin({ runId: "run_1", sessionId: "ses_1" });
  for (const event of events) if (event.seq > after && !ui.isOver) told.push(...ui.next(event));
  expect(ui.isOver).toBe(true);
  return told;
}

function outline(chunk: UiChunk): string {
  const { type } = chunk;
  if ("delta" in chunk) return `${type} ${chunk.delta}`;
  if (type === "tool-input-available") return `${type} ${JSON.stringify(chunk.input)}`;
  if (type === "tool-output-available") return `${type} ${chunk.output}`;
  if ("errorText" in chunk) return `${type} ${chunk.errorText}`;
  if (type === "tool-approval-response") return `${type} ${chunk.approved}`;
  return type === "finish" ? `${type} ${chunk.finishReason}` : type;
}

const text = (...deltas: string[]) => ["text-start", ...deltas.map((delta) => `text-delta ${delta}`), "text-end"];
const call = 'tool-input-available {"id":"7"}';
const stop = ["finish-step", "finish stop"];

test.each<[RecordingName, string[]]>([
  ["text", [...text("Hel", "lo."), ...stop]],
  ["text that was not streamed", [...text("Hello."), ...stop]],
  [
    "text that is not what was streamed",
    ["text-start", "text-delta My key is sk", "reset-step", ...text("My key is [secret]"), ...stop],
  ],
  ["reasoning", ["reasoning-start", "reasoning-delta Hm.", "reasoning-end", ...text("Hello."), ...stop]],
  ["a call", [...text("I look."), call, "data-progress", "tool-output-available On its way.", ...stop]],
  ["a call that fails", [call, "tool-output-error Out of order.", ...stop]],
  ["a call that the rules deny", [call, "tool-output-error Not allowed.", ...stop]],
  ["a question with an edited answer", [call, "tool-approval-request", "finish-step", "finish tool-calls"]],
  [
    "a response that is requested again",
    [
      "reasoning-start",
      "reasoning-delta Hm",
      "text-start",
      "text-delta It was d",
      "reasoning-end",
      "text-end",
      "reset-step",
      ...text("It is day."),
      ...stop,
    ],
  ],
  ["a retry between responses", [...text("One."), ...stop]],
  ["a stop in a text", [...text("Once upon"), "finish-step", "abort", "finish other"]],
  ["an error", ["finish-step", "error Overloaded.", "finish error"]],
  ["a budget", [...text("One."), "finish-step", "finish length"]],
  ["an object", [...text('{"total":7}'), ...stop]],
])("the UI message stream has chunks for %s", (name, expected) => {
  expect(fold(name).map(outline)).toEqual(["start", "start-step", ...expected]);
});

test("limits, notices and the history are data, and only the history stays in the message", () => {
  const told = [...fold("limits and notices"), ...fold("a compacted history")].filter(({ type }) =>
    type.startsWith("data-"),
  );
  expect(told).toMatchObject([
    { type: "data-limit", transient: true, data: { event: "limit.waiting", remainingMs: 5 } },
    { type: "data-notice", transient: true },
    { type: "data-history", data: { reason: "compacted", messages: 1 } },
  ]);
  expect(told[2]).not.toHaveProperty("transient");
});

test("the response after a question continues the message with the answer that counted", () => {
  expect(fold("a question with an edited answer", { after: 5 }).map(outline)).toEqual([
    "start",
    "tool-approval-response true",
    'tool-input-available {"id":"9"}',
    "tool-output-available Nine.",
    "finish stop",
  ]);
  expect(fold("a question with a denial", { after: 5 }).map(outline)).toEqual([
    "start",
    "tool-approval-response false",
    "tool-output-denied",
    "finish stop",
  ]);
});

test("a whole message that is read once more goes through the questions that are answered", () => {
  const whole = fold("a question with a denial", { pausesAfter: 6 }).map(outline);
  expect(whole).toEqual([
    "start",
    "start-step",
    call,
    "tool-approval-request",
    "tool-approval-response false",
    "tool-output-denied",
    ...stop,
  ]);
});
