import { expect, test } from "vitest";
import type { ScriptAnswer } from "../engine/answer.ts";
import { toAnthropicEvents } from "./stream.ts";

const usage = { input: 10, output: 5, reasoning: 0, cacheRead: 3, cacheWrite: 2 };
const answer: ScriptAnswer = {
  id: "1",
  thinking: "hm hm",
  texts: ["a b"],
  calls: [{ id: "10", name: "look", arguments: '{"id": 1}' }],
  usage,
};
const names = (events: ReturnType<typeof toAnthropicEvents>) => [...events].map(({ value }) => value.type);

test("a stream opens an answer, sends its blocks one after another, and closes it", () => {
  expect(names(toAnthropicEvents(answer, "m", "whole")).join(" ")).toBe(
    [
      "message_start ping",
      "content_block_start content_block_delta content_block_delta content_block_delta content_block_stop",
      "content_block_start content_block_delta content_block_delta content_block_stop",
      "content_block_start content_block_delta content_block_delta content_block_stop",
      "message_delta message_stop",
    ].join(" "),
  );
});

test.each(["cut", "stall"] as const)("a %s comes after the content and before it is closed", (ending) => {
  expect(names(toAnthropicEvents(answer, "m", ending)).at(-1)).toBe("content_block_delta");
  expect(names(toAnthropicEvents({ ...answer, thinking: "", texts: [], calls: [] }, "m", ending)).at(-1)).toBe(
    "content_block_delta",
  );
  const { thinking: _, ...rest } = answer;
  expect(names(toAnthropicEvents({ ...rest, texts: [], calls: [] }, "m", ending))).toEqual([]);
});
