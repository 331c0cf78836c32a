import { expect, test } from "vitest";
import { formatSource } from "./format-hits.ts";

test.each([
  [{ file: "docs/a.md", lines: { from: 3, to: 9 } }, "docs/a.md:3-9"],
  [{ file: "docs/a.md", lines: { from: 3, to: 3 } }, "docs/a.md:3"],
  [{ file: "docs/a.pdf", page: 2 }, "docs/a.pdf, page 2"],
  [{ file: "docs/a.pdf", page: 2, lastPage: 4 }, "docs/a.pdf, pages 2-4"],
  [{ file: "docs/a.PPTX", page: 2 }, "docs/a.PPTX, slide 2"],
  [{ file: "docs/a.xlsx", lines: { from: 2, to: 40 } }, "docs/a.xlsx, rows 2-40"],
  [{ file: "docs/a.docx" }, "docs/a.docx"],
])("the place of a passage is written as readers of its format name it: %j", (hit, shown) => {
  expect(formatSource(hit)).toBe(shown);
});
