import { expect, test } from "vitest";
import type { ScriptHistoryEntry } from "./history.ts";
import { findUnpaired } from "./unpaired.ts";

const prompt: ScriptHistoryEntry = { kind: "prompt", text: "hello" };
const answer = (...ids: string[]): ScriptHistoryEntry => ({
  kind: "answer",
  calls: ids.map((id) => ({ id, name: "look" })),
});
const results = (...ids: string[]): ScriptHistoryEntry => ({
  kind: "results",
  results: ids.map((id) => ({ id, text: "" })),
});

test("calls whose results follow, together or one by one, are paired", () => {
  expect(findUnpaired([prompt, answer("a", "b"), results("b"), results("a"), answer()])).toBeUndefined();
  expect(findUnpaired([prompt, answer("a", "b"), results("a", "b"), prompt])).toBeUndefined();
});

test("a result is stray without a call before it, or if the call has a result already", () => {
  expect(findUnpaired([prompt, results("a")])).toEqual({ kind: "stray", id: "a" });
  expect(findUnpaired([prompt, answer("a"), results("a"), results("a")])).toEqual({ kind: "stray", id: "a" });
});

test("a call misses its result if something else follows, or nothing", () => {
  expect(findUnpaired([prompt, answer("a", "b"), results("a"), prompt])).toEqual({ kind: "missing", ids: ["b"] });
  expect(findUnpaired([prompt, answer("a")])).toEqual({ kind: "missing", ids: ["a"] });
});
