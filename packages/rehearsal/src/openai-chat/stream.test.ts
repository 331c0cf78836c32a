import { expect, test } from "vitest";
import type { ScriptAnswer } from "../engine/answer.ts";
import type { Ending } from "../script/script.ts";
import { toChunkEvents } from "./stream.ts";

const answer: ScriptAnswer = {
  id: "1",
  thinking: "hm hm",
  texts: ["a b"],
  calls: [
    { id: "10", name: "look", arguments: '{"id": 1}' },
    { id: "11", name: "find", arguments: "{}" },
  ],
  usage: { input: 10, output: 5, reasoning: 2, cacheRead: 3, cacheWrite: 0 },
};

const lines = (includesUsage: boolean, ending: Ending = "whole", given = answer) =>
  [...toChunkEvents(given, { model: "m", includesUsage }, ending)].map(({ data }) =>
    String(data)
      .replace(/^data: /, "")
      .trim(),
  );
const chunks = (includesUsage: boolean, ending?: Ending) =>
  lines(includesUsage, ending)
    .filter((line) => line !== "[DONE]")
    .map((line) => JSON.parse(line));
const deltas = (ending?: Ending) => chunks(false, ending).flatMap(({ choices }) => choices[0].delta);

test("a stream has the role, then reasoning, text and calls in pieces, then the finish reason", () => {
  expect(deltas()).toEqual([
    { role: "assistant", content: "", refusal: null },
    { reasoning_content: "hm " },
    { reasoning_content: "hm" },
    { content: "a " },
    { content: "b" },
    { tool_calls: [{ index: 0, id: "call_10", type: "function", function: { name: "look", arguments: "" } }] },
    { tool_calls: [{ index: 0, function: { arguments: '{"id": ' } }] },
    { tool_calls: [{ index: 0, function: { arguments: "1}" } }] },
    { tool_calls: [{ index: 1, id: "call_11", type: "function", function: { name: "find", arguments: "" } }] },
    { tool_calls: [{ index: 1, function: { arguments: "{}" } }] },
    {},
  ]);
  expect(chunks(false).at(-1)).toMatchObject({ choices: [{ finish_reason: "tool_calls" }] });
  expect(lines(false).at(-1)).toBe("[DONE]");
});

test("the usage is in a separate chunk, only if the client requested it", () => {
  expect(chunks(false).some((chunk) => "usage" in chunk)).toBe(false);
  const [last, ...others] = chunks(true).reverse();
  expect(others.every(({ usage }) => usage === null)).toBe(true);
  expect(last).toMatchObject({
    choices: [],
    usage: {
      prompt_tokens: 13,
      completion_tokens: 5,
      total_tokens: 18,
      prompt_tokens_details: { cached_tokens: 3 },
      completion_tokens_details: { reasoning_tokens: 2 },
    },
  });
});

test.each(["cut", "stall"] as const)("a %s comes after the content and before it is closed", (ending) => {
  expect(deltas(ending)).toEqual(deltas().slice(0, -1));
  expect(lines(true, ending)).not.toContain("[DONE]");
  const { thinking: _, ...rest } = answer;
  expect(lines(true, ending, { ...rest, texts: [], calls: [] })).toEqual([]);
});
