import { expect, test } from "vitest";
import { formatScanProgress } from "./scan-progress.ts";

const progress = { connection: "shop", phase: "tables", done: 10, total: 2_000, remainingMs: 90_000 } as const;

test("the progress of a scan states tables, and after ten seconds an estimate", () => {
  expect(formatScanProgress(progress, 9_000)).toBe("shop: 10 of 2,000 tables");
  expect(formatScanProgress(progress, 11_000)).toBe("shop: 10 of 2,000 tables, about 1 min 30 s left");
});

test("a phase of a scan that counts nothing is named alone", () => {
  expect(formatScanProgress({ connection: "shop", phase: "storing", done: 0 }, 0)).toBe("shop: storing");
});
