import { spawnSync } from "node:child_process";
import { chmodSync, openSync, readFileSync, statSync, writeFileSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { appendEvents, storeArtifacts } from "@bridle/conformance";
import { createRedactor } from "@bridle/core";
import { StoreCorruptError, StoreFullError, StoreReadOnlyError, StoreVersionError } from "@bridle/protocol";
import { describe, expect, test } from "vitest";
import { createSqliteStore } from "../src/open-store.ts";
import { openForWriting } from "../src/owner/database.ts";
import { begun, delta, finished, isGapless, notice } from "./drafts.ts";
import { openHere, temporaryFolder } from "./folders.ts";

const scope = { runId: "a", sessionId: "s" };
const long = "x".repeat(1000);

test("a full disk throws a StoreFullError; earlier events stay readable, and writing resumes when there is space", async () => {
  const folder = temporaryFolder();
  const database = openForWriting(folder, join(folder, "state.db"));
  const store = createSqliteStore(database, { folder, readOnly: false, redactor: createRedactor(), now: Date.now });
  await appendEvents(store, scope, begun);
  database.exec("PRAGMA max_page_count = 40");
  let written = 1;
  const writer = await store.openWriter({ sessionId: "s" });
  const fill = async () => {
    for (; written < 1000; written++) {
      writer.append("a", notice(long));
      await writer.durable();
    }
  };
  await expect(fill()).rejects.toThrow(StoreFullError);
  await expect(fill()).rejects.toThrow(`No disk space is left for the event log in ${folder}.`);
  expect(written).toBeGreaterThan(10);
  expect(await store.read({ sessionId: "s" })).toHaveLength(written);
  expect(() => writer.append("a", delta(long.repeat(10)))).toThrow(StoreFullError);
  expect(() => writer.append("a", finished)).toThrow(StoreFullError);
  await writer.close();
  database.exec("PRAGMA max_page_count = 100000");
  const events = await store.read({ sessionId: "s" });
  expect(events.slice(-2).map(({ type }) => type)).toEqual(["notice", "run.finished"]);
  expect(events).toHaveLength(written + 2);
  expect(isGapless(events)).toBe(true);
  expect((await appendEvents(store, { ...scope, runId: "b" }, begun))[0]?.seq).toBe(events.length + 1);
  store.close();
});

describe("a folder that cannot be written", () => {
  const program = join(import.meta.dirname, "unprivileged-user.ts");

  /** The user that the test runs as. Not root, because root has all permissions. */
  const unprivileged = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

  /** Whether another user than root may read this checkout and use the folder for temporary files. */
  function canRunUnprivileged(): boolean {
    const look = "fs.accessSync(process.argv[1]); fs.rmdirSync(fs.mkdtempSync(os.tmpdir() + '/bridle-look-'))";
    return spawnSync(process.execPath, ["-e", look, program], unprivileged).status === 0;
  }

  /** Reads and writes as a user who may read the folder but not write to it, and returns the results. */
  function runUnprivileged(folder: string): unknown {
    const parameters = ["--conditions=@bridle/source", "--no-warnings", program, folder];
    const { stdout, stderr } = spawnSync(process.execPath, parameters, { ...unprivileged, encoding: "utf8" });
    if (stdout === "") throw new Error(stderr);
    return JSON.parse(stdout);
  }

  test.runIf(canRunUnprivileged())("throws a StoreReadOnlyError, and its events can be read", async () => {
    const folder = temporaryFolder();
    const store = openHere(folder);
    await appendEvents(store, scope, begun);
    for (const state of ["in use", "closed"]) {
      if (state === "closed") store.close();
      for (const file of [dirname(folder), folder]) chmodSync(file, 0o555);
      for (const end of ["", "-wal", "-shm"])
        if (statSync(join(folder, `state.db${end}`), { throwIfNoEntry: false }))
          chmodSync(join(folder, `state.db${end}`), 0o444);
      expect(runUnprivileged(folder), state).toEqual({ write: "StoreReadOnlyError", read: ["run.started"] });
      expect(runUnprivileged(join(folder, "new")), state).toEqual({ write: "StoreReadOnlyError", read: [] });
      for (const file of [dirname(folder), folder]) chmodSync(file, 0o755);
    }
  });

  test.runIf(canRunUnprivileged())("and cannot be read throws a StoreError, and never counts as empty", () => {
    const folder = temporaryFolder();
    openHere(folder).close();
    chmodSync(dirname(folder), 0o755);
    expect(runUnprivileged(folder)).toEqual({ write: "StoreReadOnlyError", read: "StoreError" });
    chmodSync(folder, 0o755);
    expect(runUnprivileged(folder)).toEqual({ write: "StoreReadOnlyError", read: "StoreError" });
  });

  test("throws a StoreReadOnlyError, like an event log that was opened for reading", async () => {
    const folder = temporaryFolder();
    const store = openHere(folder, { readOnly: true });
    expect(await store.sessions()).toEqual([]);
    await expect(store.openWriter({ sessionId: "s" })).rejects.toThrow(StoreReadOnlyError);
    await expect(store.removeSession("s")).rejects.toThrow(StoreReadOnlyError);
    expect(statSync(folder, { throwIfNoEntry: false })).toBeUndefined();
  });
});

test("a corrupt page throws a StoreCorruptError, and events on other pages stay readable", async () => {
  const folder = temporaryFolder();
  const store = openHere(folder);
  await appendEvents(store, scope, begun);
  await appendEvents(store, scope, ...Array.from({ length: 2000 }, () => delta(long)));
  await appendEvents(store, scope, finished);
  store.close();
  damage(join(folder, "state.db"));
  const damaged = openHere(folder);
  const read = () => damaged.read({ sessionId: "s" });
  await expect(read()).rejects.toThrow(StoreCorruptError);
  await expect(read()).rejects.toThrow(/state\.db is damaged\. Make a copy first/);
  const isLost = (from: number) =>
    damaged.read({ sessionId: "s", from, limit: 1 }).then(
      (events) => events.length === 0,
      () => true,
    );
  const lost: number[] = [];
  for (let seq = 1; seq <= 2002; seq++) if (await isLost(seq)) lost.push(seq);
  expect(lost.length).toBeGreaterThan(0);
  expect(lost.length).toBeLessThan(10);
  expect(await damaged.read({ sessionId: "s", last: 100 })).toHaveLength(100);
  expect((await appendEvents(damaged, { runId: "b", sessionId: "s" }, begun))[0]?.seq).toBe(2003);
});

test("a file that is no event log throws a StoreCorruptError, and stays unchanged", () => {
  const folder = temporaryFolder();
  openHere(folder).close();
  const file = join(folder, "state.db");
  writeFileSync(file, "These are my notes. ".repeat(100));
  for (const readOnly of [true, false]) expect(() => openHere(folder, { readOnly })).toThrow(StoreCorruptError);
  expect(readFileSync(file, "utf8")).toBe("These are my notes. ".repeat(100));
});

test("an event log of a later format throws a StoreVersionError, and stays unchanged", async () => {
  const folder = temporaryFolder();
  const store = openHere(folder);
  await appendEvents(store, scope, finished);
  store.close();
  const file = join(folder, "state.db");
  const later = new DatabaseSync(file);
  later.exec("PRAGMA user_version = 99");
  later.close();
  const before = readFileSync(file);
  for (const readOnly of [true, false]) {
    const open = () => openHere(folder, { readOnly });
    expect(open).toThrow(StoreVersionError);
    expect(open).toThrow(
      `The event log ${file} has format 99, but this version of Bridle supports at most 8. Use a newer version;`,
    );
  }
  expect(readFileSync(file).equals(before)).toBe(true);
});

test("only the owner of an event log may read it", async () => {
  const folder = temporaryFolder();
  const store = openHere(folder);
  await appendEvents(store, scope, begun);
  await storeArtifacts(store, { runId: "a" }, "private");
  const paths = ["", "state.db", "state.db-wal"];
  for (const path of paths) expect(statSync(join(folder, path)).mode & 0o077).toBe(0);
});

/** Overwrites a page halfway through a file. */
function damage(file: string): void {
  const middle = Math.floor(statSync(file).size / 4096 / 2) * 4096;
  writeSync(openSync(file, "r+"), Buffer.alloc(4096, 0xff), 0, 4096, middle);
}
