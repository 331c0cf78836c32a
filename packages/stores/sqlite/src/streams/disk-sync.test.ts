import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { DiskSync } from "./disk-sync.ts";

function temporaryDatabase(): string {
  const folder = mkdtempSync(join(tmpdir(), "bridle-disk-sync-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, "state.db");
}

/** Creates a disk whose syncs end with these errors, one after another. */
function diskWith(database: string, ...errors: readonly (Error | null)[]): DiskSync {
  const left = [...errors];
  const disk = new DiskSync(database, (_file, done) => setImmediate(() => done(left.shift() ?? null)));
  onTestFinished(() => disk.close());
  return disk;
}

test("after a sync that failed, every sync fails with its error, because the system forgets what it could not write", async () => {
  const database = temporaryDatabase();
  writeFileSync(`${database}-wal`, "");
  const disk = diskWith(database, null, new Error("EIO: i/o error, fdatasync"), null);
  await disk.sync();
  expect(disk.failure).toBeUndefined();
  const failures = await Promise.all([1, 2, 3].map(() => disk.sync().catch((error: unknown) => error)));
  failures.push(await disk.sync().catch((error: unknown) => error));
  expect(new Set(failures)).toEqual(new Set([disk.failure]));
  expect(disk.failure).toMatchObject({
    code: "store",
    message: `The disk failed to keep the event log ${database}: EIO: i/o error, fdatasync. A power cut may remove its newest events. Check the disk, then start this program again.`,
  });
});

test("a file that cannot be opened fails only the syncs of that moment", async () => {
  const database = temporaryDatabase();
  const disk = diskWith(database);
  await expect(disk.sync()).rejects.toThrow("ENOENT");
  writeFileSync(`${database}-wal`, "");
  await disk.sync();
  expect(disk.failure).toBeUndefined();
});

test("what waits for a sync when it is closed gets it, also if SQLite has removed the file", async () => {
  const database = temporaryDatabase();
  writeFileSync(`${database}-wal`, "");
  const disk = diskWith(database);
  const running = disk.sync();
  await new Promise(process.nextTick);
  const waiting = disk.sync();
  disk.close();
  rmSync(`${database}-wal`);
  await Promise.all([running, waiting, disk.sync()]);
});
