import { BackendCrashError } from "@bridle/protocol";
import { expect, test } from "vitest";
import { readMessage as read } from "./messages.ts";

const readMessage = (raw: { type: string; [field: string]: unknown }) => read(raw);

const assistant = { type: "assistant", message: { id: "a", model: "m", content: [] } };

test.each([
  [{ type: "assistant" }],
  [{ type: "assistant", message: { id: "a", content: [] } }],
  [{ type: "assistant", message: { id: "a", model: "m", content: "text" } }],
  [{ type: "user", message: {} }],
  [{ type: "stream_event", event: "odd" }],
  [{ type: "result", subtype: "success", is_error: false }],
  [{ type: "result", subtype: "success", is_error: "no", total_cost_usd: 0, modelUsage: {} }],
  [{ type: "system", subtype: "init", tools: "all" }],
])("an essential message of unknown form is a BackendCrashError: %j", (raw) => {
  expect(() => readMessage(raw)).toThrow(BackendCrashError);
  expect(() => readMessage(raw)).toThrow(raw.type);
});

test.each([
  [{ type: "a_kind_of_next_year" }],
  [{ type: "tool_progress", tool_use_id: "1" }],
  [{ type: "system", subtype: "status", status: "compacting" }],
  [{ type: "system", subtype: "api_retry", attempt: "first" }],
  [{ type: "rate_limit_event" }],
])("other messages of unknown kind or form are ignored: %j", (raw) => {
  expect(readMessage(raw)).toEqual({ type: "other" });
});

test("unknown blocks, events and fields do not hide known ones", () => {
  const content = [
    { type: "a_new_block", more: 1 },
    { type: "text", text: "Hi", citations: [] },
  ];
  expect(readMessage({ ...assistant, message: { ...assistant.message, content } })).toMatchObject({
    message: { content: [{ type: "other" }, { type: "text", text: "Hi" }] },
  });
  const event = { type: "a_new_event" };
  expect(readMessage({ type: "stream_event", event })).toMatchObject({ event: { type: "other" } });
});

test("missing token counts are 0", () => {
  const usage = { output_tokens: 3, cache_read_input_tokens: null };
  const event = { type: "message_start", message: { id: "a", model: "m", usage } };
  expect(readMessage({ type: "stream_event", event })).toMatchObject({
    event: {
      message: {
        usage: { input_tokens: 0, output_tokens: 3, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 },
      },
    },
  });
});
