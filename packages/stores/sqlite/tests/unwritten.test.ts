/** Tests events whose writing nobody has waited for. */
import { statSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "@bridle/core";
import { describe, expect, test } from "vitest";
import { finished, isGapless, notice } from "./drafts.ts";
import { openHere, temporaryFolder } from "./folders.ts";
import { startProgram } from "./programs.ts";

describe("events that nobody has waited for", () => {
  test.each(["exits", "throws an error that nobody catches", "has nothing left to do"])(
    "are in the log after a process that %s",
    async (end) => {
      const folder = temporaryFolder();
      await startProgram("ending-writer.ts", folder, end).ended;
      const store = openHere(folder, { readOnly: true });
      const events = await store.read({ runId: "a" });
      expect(events).toHaveLength(103);
      expect(isGapless(events)).toBe(true);
      expect(events.at(-1)).toMatchObject({ type: "run.finished", result: { stopReason: "natural" } });
      expect(await store.artifact(sha256("the whole text"))).toBe("the whole text");
    },
  );

  test("are seen by a follower in another process while the writer goes on", async () => {
    const folder = temporaryFolder();
    const { child } = startProgram("watched-writer.ts", folder);
    const seen: string[] = [];
    for await (const { type } of openHere(folder).follow({ runId: "a" }, new AbortController().signal)) {
      seen.push(type);
      if (type === "text.delta") child.stdin?.write("seen\n");
    }
    expect(seen).toEqual(["run.started", "notice", "text.delta", "run.finished"]);
  });
});

test("a long write-ahead log is moved into the database while events are written, and nothing is lost", async () => {
  const folder = temporaryFolder();
  const store = openHere(folder);
  const size = (end: string) => statSync(join(folder, `state.db${end}`)).size;
  const writer = await store.openWriter({ runId: "a" });
  let written = 0;
  const write = async () => {
    for (let count = 0; count < 300; count++, written++) writer.append("a", notice("x".repeat(4000)));
    await writer.durable();
  };
  while (written < 2400) await write();
  await expect.poll(() => write().then(() => size("")), { timeout: 30_000 }).toBeGreaterThan(5_000_000);
  writer.append("a", finished);
  await store.close();
  expect(() => size("-wal")).toThrow("ENOENT");
  const events = await openHere(folder).read({ runId: "a" });
  expect(events).toHaveLength(written + 1);
  expect(isGapless(events)).toBe(true);
});
