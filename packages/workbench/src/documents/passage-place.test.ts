import { expect, test } from "vitest";
import { describePlace, findPassage, passageKey } from "./passage-place.ts";

test("the place of a passage is its headings, and its lines or pages", () => {
  expect(describePlace({ headings: ["Refunds", "Deadlines"], lines: { from: 3, to: 9 } })).toBe(
    "Refunds › Deadlines, lines 3 to 9",
  );
  expect(describePlace({ headings: [], page: 2, lastPage: 2 })).toBe("page 2");
  expect(describePlace({ headings: [], page: 2, lastPage: 4 })).toBe("pages 2 to 4");
  expect(describePlace({ headings: [] })).toBe("");
});

test("a passage is found by its lines, by its page or by its beginning", () => {
  const passages = [
    { text: "One", lines: { from: 1, to: 4 } },
    { text: "Two", lines: { from: 5, to: 9 } },
    { text: "Three", page: 2 },
    { text: "Four" },
  ];
  for (const passage of passages) expect(findPassage(passages, passageKey(passage))).toBe(passage);
  expect(passages.map(passageKey)).toEqual(["L1-4", "L5-9", "p2 Three", "Four"]);
});

test("after a change of the file, the passage that has the first of the lines is found, and else none", () => {
  const passages = [{ text: "One", lines: { from: 1, to: 6 } }];
  expect(findPassage(passages, "L5-9")).toBe(passages[0]);
  expect(findPassage(passages, "L50-90")).toBeUndefined();
  expect(findPassage(passages, null)).toBeUndefined();
});
