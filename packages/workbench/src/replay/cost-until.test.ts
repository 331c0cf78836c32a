import { expect, test } from "vitest";
import { costUntil } from "./cost-until.ts";

test("the cost until an event is that of the responses before it, and partial if one has none", () => {
  const response = (seq: number, usd: number | null) => ({
    seq,
    tokens: 1,
    cost: usd === null ? null : { usd, estimate: true },
  });
  const usage = [response(3, 0.25), response(7, 0.5), response(9, null)];
  expect(costUntil(usage, 2)).toBeUndefined();
  expect(costUntil(usage, 7)).toEqual({ usd: 0.75, estimate: true });
  expect(costUntil(usage, 9)).toEqual({ usd: 0.75, estimate: true, partial: true });
});
