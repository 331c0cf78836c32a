import { expect, test } from "vitest";
import { backOffMs } from "./connection.ts";

test("a server is started at once the first time, then after longer and longer waits, two seconds at most", () => {
  expect([0, 1, 2, 3, 4, 40].map(backOffMs)).toEqual([0, 100, 400, 1600, 2000, 2000]);
});
