import { expect, test } from "vitest";
import { CallIds } from "./call-ids.ts";

const assign = (ids: CallIds, given: readonly string[]) =>
  ids
    .assign({ calls: given.map((callId) => ({ callId, tool: "look", text: "{}" })) })
    .calls.map(({ callId }) => callId);

test("calls without an id, or with one that is taken, get a number", () => {
  const ids = new CallIds([
    { role: "assistant", content: [{ type: "tool-call", callId: "a_2", tool: "t", input: {} }] },
  ]);
  expect(assign(ids, ["a", "a", "a", "", "", "b"])).toEqual(["a", "a_3", "a_4", "call_1", "call_2", "b"]);
  expect(assign(ids, ["a", "a_3"])).toEqual(["a_5", "a_3_2"]);
});

test("a call keeps the id under which its input was streamed", () => {
  const { calls } = new CallIds([]).assign({ calls: [1, 2].map(() => ({ callId: "a", tool: "look", text: "{}" })) });
  expect(calls).toMatchObject([
    { callId: "a", streamId: "a" },
    { callId: "a_2", streamId: "a" },
  ]);
});

test("a hundred thousand calls with the same id get different ids", () => {
  const ids = assign(
    new CallIds([]),
    Array.from({ length: 100_000 }, () => "call"),
  );
  expect(new Set(ids).size).toBe(100_000);
});
