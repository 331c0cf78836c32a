import type { HistoryMessage } from "@bridle/protocol";
import { describe, expect, test } from "vitest";
import { makeRoomWithin } from "./compaction.ts";

const asked: HistoryMessage = { role: "user", content: [{ type: "text", text: "x".repeat(9000) }] };
const result = (callId: string, chars: number): HistoryMessage => ({
  role: "user",
  content: [{ type: "tool-result", callId, output: callId.repeat(chars), isError: false }],
});
const outputs = (history: readonly HistoryMessage[] | undefined) =>
  history?.flatMap(({ content }) => content.flatMap((part) => (part.type === "tool-result" ? [part.output] : [])));

describe("compaction in the middle of a run", () => {
  test("leaves out results that the model has seen, and keeps the others", () => {
    const short = makeRoomWithin([asked, result("a", 5000), result("b", 100), result("c", 5000)]);
    expect(outputs(short)).toEqual([
      "[This result of 5000 characters was left out to make room.]",
      "b".repeat(100),
      "c".repeat(5000),
    ]);
    expect(short?.[0]).toEqual(asked);
  });

  test("cuts the middle of unseen results if they are the largest part", () => {
    const [older, newest = ""] = outputs(makeRoomWithin([asked, result("a", 300), result("b", 5000)])) ?? [];
    expect(older).toContain("300 characters was left out");
    expect(newest).toMatch(/^b{1600}\n\n\[3000 of 5000 characters were left out here to make room.\]\n\nb{400}$/);
  });

  test("is impossible if no result is long", () => {
    expect(makeRoomWithin([asked, result("a", 100), result("b", 1000)])).toBeUndefined();
    expect(makeRoomWithin([asked])).toBeUndefined();
  });
});
