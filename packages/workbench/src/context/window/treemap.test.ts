import fc from "fast-check";
import { expect, test } from "vitest";
import { type Box, layOut, withLeastShare } from "./treemap.ts";

const whole = { x: 10, y: 20, width: 600, height: 400 };
const ratioOf = ({ width, height }: Box) => Math.max(width / height, height / width);

test("the example of the paper: 6, 6, 4, 3, 2, 2, 1 in a box of 6 by 4", () => {
  const boxes = layOut([6, 6, 4, 3, 2, 2, 1], { x: 0, y: 0, width: 6, height: 4 });
  const round = boxes.map(({ x, y, width, height }) =>
    [x, y, width, height].map((each) => Math.round(each * 100) / 100),
  );
  expect(round.slice(0, 4)).toEqual([
    [0, 0, 3, 2],
    [0, 2, 3, 2],
    [3, 0, 1.71, 2.33],
    [4.71, 0, 1.29, 2.33],
  ]);
  expect(Math.max(...boxes.map(ratioOf))).toBeLessThan(3);
});

test("boxes have the areas of their weights, stay in the whole and do not overlap", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 1_000_000 }), { minLength: 1, maxLength: 60 }), (weights) => {
      const boxes = layOut(weights, whole);
      const total = weights.reduce((sum, weight) => sum + weight, 0);
      expect(boxes).toHaveLength(weights.length);
      for (const [index, { x, y, width, height }] of boxes.entries()) {
        const share = total === 0 ? 0 : (weights[index] ?? 0) / total;
        expect(width * height).toBeCloseTo(share * whole.width * whole.height, 3);
        expect(x).toBeGreaterThanOrEqual(whole.x - 1e-6);
        expect(y).toBeGreaterThanOrEqual(whole.y - 1e-6);
        expect(x + width).toBeLessThanOrEqual(whole.x + whole.width + 1e-6);
        expect(y + height).toBeLessThanOrEqual(whole.y + whole.height + 1e-6);
      }
      for (const [index, a] of boxes.entries())
        for (const b of boxes.slice(index + 1)) {
          const across = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
          const down = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
          expect(Math.min(across, down)).toBeLessThanOrEqual(1e-6);
        }
    }),
  );
});

test("nothing has a size where there is no weight or no room", () => {
  expect(layOut([], whole)).toEqual([]);
  expect(layOut([0, 0], whole).every(({ width, height }) => width === 0 && height === 0)).toBe(true);
  expect(layOut([1], { ...whole, width: 0 })).toEqual([{ x: 10, y: 20, width: 0, height: 0 }]);
});

test("a few equal weights become boxes that are nearly square", () => {
  expect(Math.max(...layOut([1, 1, 1, 1, 1, 1], whole).map(ratioOf))).toBeLessThan(1.01);
});

test("a weight far below the others has a box that can be hit, and none has one without a weight", () => {
  const boxes = layOut(withLeastShare([99_500, 500, 0], 28 / whole.width), whole);
  const [most, least, none] = boxes.map(({ width, height }) => Math.min(width, height));
  expect(least).toBeGreaterThan(24);
  expect(most).toBeGreaterThan(300);
  expect(none).toBe(0);
});
