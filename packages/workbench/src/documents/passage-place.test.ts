import { expect, test } from "vitest";
import { describePlace } from "./passage-place.ts";

test("the place of a passage is its headings, and its lines or pages", () => {
  expect(describePlace({ headings: ["Refunds", "Deadlines"], lines: { from: 3, to: 9 } })).toBe(
    "Refunds › Deadlines, lines 3 to 9",
  );
  expect(describePlace({ headings: [], page: 2, lastPage: 2 })).toBe("page 2");
  expect(describePlace({ headings: [], page: 2, lastPage: 4 })).toBe("pages 2 to 4");
  expect(describePlace({ headings: [] })).toBe("");
});
