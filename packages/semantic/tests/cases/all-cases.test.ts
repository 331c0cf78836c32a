import { expect, test } from "vitest";
import { allCases } from "./all-cases.ts";

test("each trap has at least three cases with rows, and all titles differ", () => {
  for (const [trap, cases] of Object.entries(allCases)) {
    expect(cases.filter((each) => "reference" in each).length, trap).toBeGreaterThanOrEqual(3);
    const titles = cases.map(({ title }) => title);
    expect(new Set(titles).size, trap).toBe(titles.length);
  }
});
