import { expect, test } from "vitest";
import type { ScriptAnswer } from "../engine/answer.ts";
import type { Ending } from "../script/script.ts";
import { toResponsesEvents } from "./stream.ts";

const answer: ScriptAnswer = {
  id: "1",
  thinking: "hm hm",
  texts: ["a b"],
  calls: [{ id: "10", name: "look", arguments: "{}" }],
  usage: { input: 10, output: 5, reasoning: 2, cacheRead: 3, cacheWrite: 0 },
};
const options = { model: "m", isStored: true, encryptsReasoning: false };

const events = (given: ScriptAnswer = answer, ending: Ending = "whole", more = {}) =>
  [...toResponsesEvents(given, { ...options, ...more }, ending)].map(({ data }) => {
    const [, name, json = ""] = /^event: (.*)\ndata: (.*)\n\n$/.exec(String(data)) ?? [];
    const value = JSON.parse(json);
    expect(value.type).toBe(name);
    return value;
  });
const names = (list: { type: string }[]) => list.map(({ type }) => type.replace("response.", ""));

test("the events of every item are numbered, between the start and the end of the response", () => {
  const all = events();
  expect(names(all)).toEqual([
    "created",
    "in_progress",
    "output_item.added",
    "reasoning_summary_part.added",
    "reasoning_summary_text.delta",
    "reasoning_summary_text.delta",
    "reasoning_summary_text.done",
    "reasoning_summary_part.done",
    "output_item.done",
    "output_item.added",
    "content_part.added",
    "output_text.delta",
    "output_text.delta",
    "output_text.done",
    "content_part.done",
    "output_item.done",
    "output_item.added",
    "function_call_arguments.delta",
    "function_call_arguments.done",
    "output_item.done",
    "completed",
  ]);
  expect(all.map(({ sequence_number }) => sequence_number)).toEqual(all.map((_, index) => index));
});

test("the last event contains the whole response with its usage", () => {
  expect(events().at(-1).response).toMatchObject({
    status: "completed",
    output: [{ type: "reasoning" }, { type: "message" }, { type: "function_call", call_id: "call_10" }],
    usage: {
      input_tokens: 13,
      input_tokens_details: { cached_tokens: 3 },
      output_tokens: 5,
      output_tokens_details: { reasoning_tokens: 2 },
      total_tokens: 18,
    },
  });
});

test.each([
  ["max_tokens", "incomplete", { incomplete_details: { reason: "max_output_tokens" }, error: null }],
  ["refusal", "incomplete", { incomplete_details: { reason: "content_filter" } }],
  ["failed", "failed", { error: { code: "server_error", message: expect.any(String) } }],
])("the stop reason %s makes a response %s", (stopReason, status, response) => {
  const last = events({ ...answer, stopReason }).at(-1);
  expect(last).toMatchObject({ type: `response.${status}`, response: { status, ...response } });
});

test.each(["cut", "stall"] as const)("a %s comes after the content and before it is closed", (ending) => {
  expect(names(events(answer, ending)).at(-1)).toBe("function_call_arguments.delta");
  const { thinking: _, ...rest } = answer;
  expect(events({ ...rest, texts: [], calls: [] }, ending)).toEqual([]);
});

test("reasoning is encrypted if the client requests it", () => {
  const reasoningOf = (more: object) => events(answer, "whole", more).at(-1).response.output[0];
  expect(reasoningOf({})).not.toHaveProperty("encrypted_content");
  expect(reasoningOf({ encryptsReasoning: true }).encrypted_content).toMatch(/./);
});

test("the call of a custom tool has its text as input, streamed in pieces", () => {
  const calls = [{ id: "10", name: "patch", arguments: "*** Begin", isCustom: true as const }];
  const all = events({ ...answer, texts: [], calls }).slice(-5);
  expect(names(all)).toEqual([
    "custom_tool_call_input.delta",
    "custom_tool_call_input.delta",
    "custom_tool_call_input.done",
    "output_item.done",
    "completed",
  ]);
  expect(all[0].delta + all[1].delta).toBe("*** Begin");
  expect(all[3].item).toMatchObject({
    type: "custom_tool_call",
    call_id: "call_10",
    name: "patch",
    input: "*** Begin",
  });
});
