import { EventSchemas } from "@ag-ui/core/schemas";
import { expect, test } from "vitest";
import type { AgUiEvent } from "../../src/protocols/ag-ui/ag-ui-events.ts";
import { AgUiFold } from "../../src/protocols/ag-ui/ag-ui-fold.ts";
import { type RecordingName, recordings } from "../support/recorded-events.ts";

const request = { threadId: "ses_1", runId: "r", messages: [{ id: "u1", role: "user", content: "Hi." }] } as const;

/** Folds the events of a run, from an event on, into the events of one AG-UI run. */
function fold(name: RecordingName, after = 0): AgUiEvent[] {
  const agUi = new AgUiFold(request);
  const events = recordings[name];
  for (const event of events) if (event.seq <= after) agUi.skip(event);
  const told = agUi.begin({ runId: "run_1", sessionId: "ses_1", after });
  for (const event of events) if (event.seq > after && !agUi.isOver) told.push(...agUi.next(event));
  for (const event of told) EventSchemas.parse(event);
  expect(agUi.isOver).toBe(true);
  return told;
}

/** Describes an event as text: its type, and the content that a client shows. */
function outline(event: AgUiEvent): string {
  const { type } = event;
  if ("delta" in event) return `${type} ${event.delta}`;
  if (type === "MESSAGES_SNAPSHOT") {
    return `${type} ${event.messages.map((each) => `${each.role}:${JSON.stringify("content" in each ? each.content : "")}`).join(" ")}`;
  }
  if (type === "TOOL_CALL_RESULT") return `${type} ${event.content}`;
  if (type === "RUN_FINISHED") return `${type} ${event.outcome.type}`;
  if (type === "RUN_ERROR") return `${type} ${event.code}`;
  return type === "CUSTOM" ? `${type} ${event.name}` : type;
}

const text = (...deltas: string[]) => [
  "TEXT_MESSAGE_START",
  ...deltas.map((delta) => `TEXT_MESSAGE_CONTENT ${delta}`),
  "TEXT_MESSAGE_END",
];
const step = (...inner: string[]) => ["STEP_STARTED", ...inner, "STEP_FINISHED"];
const thought = (delta: string) => [
  "REASONING_START",
  "REASONING_MESSAGE_START",
  `REASONING_MESSAGE_CONTENT ${delta}`,
  "REASONING_MESSAGE_END",
  "REASONING_END",
];
const call = ["TOOL_CALL_START", 'TOOL_CALL_ARGS {"id":"7"}', "TOOL_CALL_END"];
const success = "RUN_FINISHED success";

test.each<[RecordingName, string[]]>([
  ["text", [...step(...text("Hel", "lo.")), success]],
  ["text that was not streamed", [...step(...text("Hello.")), success]],
  [
    "text that is not what was streamed",
    [...step(...text("My key is sk"), 'MESSAGES_SNAPSHOT user:"Hi." assistant:"My key is [secret]"'), success],
  ],
  ["reasoning", [...step(...thought("Hm."), ...text("Hello.")), success]],
  [
    "a call",
    [
      ...step(...text("I look.")),
      ...call,
      "CUSTOM bridle.tool.started",
      "CUSTOM bridle.tool.progress",
      "TOOL_CALL_RESULT On its way.",
      success,
    ],
  ],
  ["a call that the rules deny", [...step(), ...call, "TOOL_CALL_RESULT Not allowed.", success]],
  ["a question with an edited answer", [...step(), ...call, "RUN_FINISHED interrupt"]],
  [
    "a response that is requested again",
    [
      "STEP_STARTED",
      "REASONING_START",
      "REASONING_MESSAGE_START",
      "REASONING_MESSAGE_CONTENT Hm",
      "TEXT_MESSAGE_START",
      "TEXT_MESSAGE_CONTENT It was d",
      "REASONING_MESSAGE_END",
      "REASONING_END",
      "TEXT_MESSAGE_END",
      'MESSAGES_SNAPSHOT user:"Hi." reasoning:""',
      ...text("It is day."),
      "STEP_FINISHED",
      success,
    ],
  ],
  ["a retry between responses", [...step(...text("One.")), success]],
  ["a stop in a text", [...step(...text("Once upon")), "RUN_FINISHED cancelled"]],
  ["an error", [...step(), "RUN_ERROR overloaded"]],
  ["a budget", [...step(...text("One.")), "CUSTOM bridle.budget", success]],
  ["an object", [...step(), ...text('{"total":7}'), success]],
  [
    "a compacted history",
    ['MESSAGES_SNAPSHOT user:[{"type":"text","text":"Short."}] user:"Hi."', ...step(...text("Yes.")), success],
  ],
  ["limits and notices", ["CUSTOM bridle.limit.waiting", "CUSTOM bridle.notice", ...step(...text("Yes.")), success]],
])("AG-UI has events for %s", (name, expected) => {
  expect(fold(name).map(outline)).toEqual(["RUN_STARTED", ...expected]);
});

test("the next AG-UI run begins after the question, and has its outcome", () => {
  expect(fold("a question with an edited answer", 5).map(outline)).toEqual([
    "RUN_STARTED",
    "CUSTOM bridle.approval.decided",
    "CUSTOM bridle.tool.started",
    "TOOL_CALL_RESULT Nine.",
    success,
  ]);
  expect(fold("a question with a denial", 5).map(outline)).toEqual([
    "RUN_STARTED",
    "CUSTOM bridle.approval.decided",
    "TOOL_CALL_RESULT Denied: No.",
    success,
  ]);
});

test("a question while another call runs is asked when that call has ended", () => {
  const told = fold("a question while another call runs");
  expect(told.map(outline).slice(-2)).toEqual(["TOOL_CALL_RESULT Seven.", "RUN_FINISHED interrupt"]);
  expect(told.at(-1)).toMatchObject({
    outcome: { interrupts: [{ id: "a2", toolCallId: "run_1.c2", message: "Run lookup?\n\n- order 7" }] },
  });
});

test("the tokens of a cache are part of the input, and a report replaces those of its steps", () => {
  const tokens = {
    inputTokens: 130,
    outputTokens: 5,
    totalTokens: 135,
    cachedInputTokens: 100,
    cacheWriteInputTokens: 20,
  };
  const expected = [{ provider: "openai", model: "desk-1", ...tokens }];
  expect(fold("text").at(-1)).toMatchObject({ usage: expected });
  expect(fold("limits and notices").at(-1)).toMatchObject({ usage: expected });
});

test("a client that has a part already first gets a snapshot without it", () => {
  const messages = [...request.messages, { id: "run_1-3", role: "assistant", content: "Hel" } as const];
  const agUi = new AgUiFold({ ...request, messages });
  expect(agUi.begin({ runId: "run_1", sessionId: "ses_1", after: 0 })).toMatchObject([
    { type: "RUN_STARTED" },
    { type: "MESSAGES_SNAPSHOT", messages: [{ id: "u1" }] },
  ]);
});
