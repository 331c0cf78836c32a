import { expect, test } from "vitest";
import { backOffMs } from "./connection.ts";

test("a server is restarted immediately the first time, then after increasing waits of at most two seconds", () => {
  expect([0, 1, 2, 3, 4, 40].map(backOffMs)).toEqual([0, 100, 400, 1600, 2000, 2000]);
});
