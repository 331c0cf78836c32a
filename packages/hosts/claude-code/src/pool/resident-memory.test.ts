import { expect, test } from "vitest";
import { residentMemoryOf } from "./resident-memory.ts";

test.skipIf(process.platform === "win32")("a living process has resident memory, a dead one has none", async () => {
  const held = await residentMemoryOf(process.pid);
  const counted = process.memoryUsage.rss();
  expect(held).toBeGreaterThan(counted / 2);
  expect(held).toBeLessThan(counted * 2);
  expect(await residentMemoryOf(2 ** 30)).toBeUndefined();
});
