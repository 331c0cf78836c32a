import { expect, test } from "vitest";
import { drawTabIcon, titleOfTab } from "./tab-badge.ts";

test("title and icon of the tab say how many questions are open, and nothing without any", () => {
  expect([0, 1, 12].map(titleOfTab)).toEqual(["Bridle", "(1) Bridle", "(12) Bridle"]);
  const drawn = [0, 3, 12].map((count) => decodeURIComponent(drawTabIcon(count)));
  expect(drawn[0]).not.toContain("<text");
  expect(drawn[1]).toContain(">3</text>");
  expect(drawn[2]).toContain(">9+</text>");
});

test("the icon names no other place than its own namespace", () => {
  expect(decodeURIComponent(drawTabIcon(2)).match(/https?:[^']*/g)).toEqual(["http://www.w3.org/2000/svg"]);
  expect(drawTabIcon(2)).toMatch(/^data:image\/svg\+xml,/);
});
