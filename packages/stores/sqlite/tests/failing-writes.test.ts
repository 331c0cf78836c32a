/** Makes writes fail while many streams are written together. */
import { renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createRedactor } from "@bridle/core";
import { StoreBusyError, StoreError } from "@bridle/protocol";
import { expect, onTestFinished, test } from "vitest";
import { createContents } from "../src/files/contents.ts";
import { createSqliteStore } from "../src/open-store.ts";
import { openForWriting } from "../src/owner/database.ts";
import { createLeases, createOwner } from "../src/streams/leases.ts";
import { Reader } from "../src/streams/reader.ts";
import { Recovery } from "../src/streams/recovery.ts";
import { createStreams } from "../src/streams/streams.ts";
import { Writer } from "../src/streams/writer.ts";
import { begun, finished, notice } from "./drafts.ts";
import { openHere, temporaryFolder } from "./folders.ts";

const names = Array.from({ length: 10 }, (_, index) => `s${index}`);

test("streams that cannot be written because the file is locked wait for it once, and not one after another", async () => {
  const folder = temporaryFolder();
  const database = openForWriting(folder, join(folder, "state.db"));
  database.exec("PRAGMA busy_timeout = 50");
  const waits = noteWaits(database);
  const store = createSqliteStore(database, { folder, readOnly: false, redactor: createRedactor(), now: Date.now });
  onTestFinished(() => store.close());
  const writers = await Promise.all(names.map((sessionId) => store.openWriter({ sessionId })));
  for (const [index, writer] of writers.entries()) writer.append(`run ${index}`, begun);
  await Promise.all(writers.map((writer) => writer.durable()));
  const other = new DatabaseSync(join(folder, "state.db"));
  other.exec("BEGIN IMMEDIATE");
  waits.length = 0;
  for (const [index, writer] of writers.entries()) writer.append(`run ${index}`, notice("n"));
  const results = await Promise.allSettled(writers.map((writer) => writer.durable()));
  expect(results.every((result) => result.status === "rejected" && result.reason instanceof StoreBusyError)).toBe(true);
  for (const [index, writer] of writers.entries())
    expect(() => writer.append(`run ${index}`, finished)).toThrow(StoreBusyError);
  expect(waits.filter((waitMs) => waitMs > 0)).toEqual([50]);
  other.close();
  for (const sessionId of names) {
    const types = (await store.read({ sessionId })).map(({ type }) => type);
    expect(types).toEqual(["run.started", "notice", "run.finished"]);
  }
});

test("a session that another process has taken over fails alone, and others that are written with it are written once", async () => {
  const folder = temporaryFolder();
  const file = join(folder, "state.db");
  const database = openForWriting(folder, file);
  const leases = createLeases(database);
  const holderOf = (stream: number) => {
    if (!database.isTransaction) throw new Error("The file cannot be read any more.");
    return leases.holderOf(stream);
  };
  const parts = { database, file, leases: { ...leases, holderOf }, streams: createStreams(database), now: Date.now };
  const recovery = new Recovery({ ...parts, reader: new Reader(database) });
  const writing = { contents: createContents(database), owner: createOwner(), redactor: createRedactor() };
  const writer = new Writer({ ...parts, ...writing, recovery, onWritten() {} });
  onTestFinished(() => {
    writer.close();
    database.close();
  });
  const [taken, other] = await Promise.all(names.slice(0, 2).map((sessionId) => writer.open({ sessionId })));
  const another = new DatabaseSync(file);
  another.exec("UPDATE leases SET token = 'other' WHERE stream = (SELECT id FROM streams WHERE name = 's0')");
  another.close();
  taken?.append("a", begun);
  other?.append("b", begun);
  const results = await Promise.allSettled([taken?.durable(), other?.durable()]);
  expect(results).toMatchObject([{ reason: { code: "store_busy" } }, { status: "fulfilled" }]);
  expect(other?.append("b", finished).seq).toBe(2);
  await other?.durable();
  const events = new Reader(database).events({ sessionId: "s1" });
  expect(events.map(({ type }) => type)).toEqual(["run.started", "run.finished"]);
});

test("after the disk failed, nothing is reported as durable, and nothing new begins but the end of a run", async () => {
  const folder = temporaryFolder();
  const wal = join(folder, "state.db-wal");
  const store = openHere(folder);
  const [writer, other] = await Promise.all(names.slice(0, 2).map((sessionId) => store.openWriter({ sessionId })));
  if (writer === undefined || other === undefined) throw new Error("The writers are open.");
  renameSync(wal, `${wal} aside`);
  symlinkSync("/dev/null", wal); // /dev/null cannot be synced
  writer.append("a", begun);
  await expect(writer.durable()).rejects.toThrow(/^The disk failed to keep the event log .*state\.db: EINVAL/);
  rmSync(wal);
  renameSync(`${wal} aside`, wal);
  for (const each of [writer, other]) await expect(each.durable()).rejects.toThrow("Check the disk, then start");
  for (const late of [
    () => writer.append("a", notice("n")),
    () => other.append("b", begun),
    () => other.putArtifact("x"),
  ])
    expect(late).toThrow(StoreError);
  await expect(store.openWriter({ sessionId: "new" })).rejects.toThrow(StoreError);
  writer.append("a", finished);
  await writer.close();
  expect((await store.read({ sessionId: "s0" })).map(({ type }) => type)).toEqual(["run.started", "run.finished"]);
  expect(await store.read({ sessionId: "s1" })).toEqual([]);
});

test("events that somebody waits for while the log is closed are durable", async () => {
  const store = openHere(temporaryFolder());
  const writer = await store.openWriter({ runId: "a" });
  writer.append("a", begun);
  const waiting = writer.durable();
  await Promise.all([waiting, store.close()]);
});

/** Records how long each transaction would wait for a locked file when it begins, in milliseconds. */
function noteWaits(database: DatabaseSync): number[] {
  const waits: number[] = [];
  const exec = database.exec.bind(database);
  database.exec = (sql) => {
    if (sql === "BEGIN IMMEDIATE") waits.push(Number(database.prepare("PRAGMA busy_timeout").get()?.timeout));
    exec(sql);
  };
  return waits;
}
