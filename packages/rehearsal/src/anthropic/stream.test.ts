import fc from "fast-check";
import { expect, test } from "vitest";
import type { Answer } from "../engine/answer.ts";
import { toEvents, toPieces } from "./stream.ts";

const usage = { input: 10, output: 5, cacheRead: 3, cacheWrite: 2 };
const answer: Answer = {
  id: "1",
  thinking: "hm hm",
  texts: ["a b"],
  calls: [{ id: "10", name: "look", arguments: '{"id": 1}' }],
  usage,
};
const names = (events: Iterable<{ text: string }>) => [...events].map(({ text }) => /^event: (.*)/.exec(text)?.[1]);

test("an answer opens, gives its blocks one after another, and closes", () => {
  expect(names(toEvents(answer, "m", "whole")).join(" ")).toBe(
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
  expect(names(toEvents(answer, "m", ending)).at(-1)).toBe("content_block_delta");
  expect(names(toEvents({ ...answer, thinking: "", texts: [], calls: [] }, "m", ending)).at(-1)).toBe(
    "content_block_delta",
  );
  const { thinking: _, ...rest } = answer;
  expect(names(toEvents({ ...rest, texts: [], calls: [] }, "m", ending))).toEqual([]);
});

test("the pieces of a text joined again are the text, however long", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.integer({ min: 1, max: 300 }), (text, repeats) => {
      const long = text.repeat(repeats);
      expect(toPieces(long).join("")).toBe(long);
    }),
  );
});

test("a long text comes in at most five hundred pieces", () => {
  expect(toPieces("ab ".repeat(1_000_000)).length).toBeLessThanOrEqual(500);
});
