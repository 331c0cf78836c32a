import { spawnSync } from "node:child_process";
import { chmodSync, openSync, readFileSync, statSync, writeFileSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createRedactor } from "@bridle/core";
import { StoreCorruptError, StoreFullError, StoreReadOnlyError, StoreVersionError } from "@bridle/protocol";
import { describe, expect, test } from "vitest";
import { openForWriting } from "../src/database.ts";
import { createStore } from "../src/open-store.ts";
import { migrate } from "../src/schema.ts";
import { begun, delta, finished, isGapless, notice } from "./drafts.ts";
import { openHere, temporaryFolder } from "./folders.ts";

const place = { runId: "a", sessionId: "s" };
const long = "x".repeat(1000);

test("a full disk is said so; what was written stays readable, and writing goes on once there is space", () => {
  const folder = temporaryFolder();
  const database = openForWriting(folder, join(folder, "state.db"));
  const store = createStore(database, { folder, readOnly: false, redactor: createRedactor(), now: Date.now });
  store.append(place, begun);
  database.exec("PRAGMA max_page_count = 40");
  let written = 1;
  const fill = () => {
    for (; written < 1000; written++) store.append(place, notice(long));
  };
  expect(fill).toThrow(StoreFullError);
  expect(fill).toThrow(`There is no space left for the record in ${folder}.`);
  expect(written).toBeGreaterThan(10);
  expect(store.events({ sessionId: "s" })).toHaveLength(written);
  store.append(place, delta(long.repeat(10)));
  expect(() => store.append(place, finished)).toThrow(StoreFullError);
  database.exec("PRAGMA max_page_count = 100000");
  const events = store.events({ sessionId: "s" });
  expect(events.slice(-2).map(({ type }) => type)).toEqual(["text.delta", "run.finished"]);
  expect(isGapless(events)).toBe(true);
  expect(store.append({ ...place, runId: "b" }, begun).seq).toBe(events.length + 1);
  store.close();
});

describe("a folder that cannot be written", () => {
  const program = join(import.meta.dirname, "powerless.ts");

  /** Root may do everything, and becomes a user who may not. */
  const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

  /** False where root alone may read this checkout, or use the folder for temporary files. */
  function canBeNobody(): boolean {
    const look = "fs.accessSync(process.argv[1]); fs.rmdirSync(fs.mkdtempSync(os.tmpdir() + '/bridle-look-'))";
    return spawnSync(process.execPath, ["-e", look, program], nobody).status === 0;
  }

  /** What happens to a user who may read there and not write. */
  function asNobody(folder: string): unknown {
    const parameters = ["--conditions=@bridle/source", "--no-warnings", program, folder];
    const { stdout, stderr } = spawnSync(process.execPath, parameters, { ...nobody, encoding: "utf8" });
    if (stdout === "") throw new Error(stderr);
    return JSON.parse(stdout);
  }

  test.runIf(canBeNobody())("is said so, and what is on record there is read all the same", () => {
    const folder = temporaryFolder();
    const store = openHere(folder);
    store.append(place, begun);
    for (const state of ["in use", "closed"]) {
      if (state === "closed") store.close();
      for (const file of [dirname(folder), folder]) chmodSync(file, 0o555);
      for (const end of ["", "-wal", "-shm"])
        if (statSync(join(folder, `state.db${end}`), { throwIfNoEntry: false }))
          chmodSync(join(folder, `state.db${end}`), 0o444);
      expect(asNobody(folder), state).toEqual({ write: "StoreReadOnlyError", read: ["run.started"] });
      expect(asNobody(join(folder, "new")), state).toEqual({ write: "StoreReadOnlyError", read: [] });
      for (const file of [dirname(folder), folder]) chmodSync(file, 0o755);
    }
  });

  test.runIf(canBeNobody())("and not be read is said so, and never taken for an empty record", () => {
    const folder = temporaryFolder();
    openHere(folder).close();
    chmodSync(dirname(folder), 0o755);
    expect(asNobody(folder)).toEqual({ write: "StoreReadOnlyError", read: "StoreError" });
    chmodSync(folder, 0o755);
    expect(asNobody(folder)).toEqual({ write: "StoreReadOnlyError", read: "StoreError" });
  });

  test("is also what a record that was opened for reading says", () => {
    const folder = temporaryFolder();
    const store = openHere(folder, { readOnly: true });
    expect(store.sessions()).toEqual([]);
    expect(() => store.append(place, begun)).toThrow(StoreReadOnlyError);
    expect(() => store.putArtifact("a")).toThrow(StoreReadOnlyError);
    expect(statSync(folder, { throwIfNoEntry: false })).toBeUndefined();
  });
});

test("a corrupt page is said so, and all that stands on others is still readable", () => {
  const folder = temporaryFolder();
  const store = openHere(folder);
  store.append(place, begun);
  for (let count = 0; count < 2000; count++) store.append(place, delta(long));
  store.append(place, finished);
  store.close();
  damage(join(folder, "state.db"));
  const damaged = openHere(folder);
  const read = () => damaged.events({ sessionId: "s" });
  expect(read).toThrow(StoreCorruptError);
  expect(read).toThrow(/state\.db is damaged\. Copy it before anything else/);
  const readable = (from: number) => attempt(() => damaged.events({ sessionId: "s", from, limit: 1 })).length;
  const lost = Array.from({ length: 2002 }, (_, index) => index + 1).filter((seq) => readable(seq) === 0);
  expect(lost.length).toBeGreaterThan(0);
  expect(lost.length).toBeLessThan(10);
  expect(damaged.events({ sessionId: "s", last: 100 })).toHaveLength(100);
  expect(damaged.append({ runId: "b", sessionId: "s" }, begun).seq).toBe(2003);
});

test("a file that is no record is said so, and left as it is", () => {
  const folder = temporaryFolder();
  openHere(folder).close();
  const file = join(folder, "state.db");
  writeFileSync(file, "These are my notes. ".repeat(100));
  for (const readOnly of [true, false]) expect(() => openHere(folder, { readOnly })).toThrow(StoreCorruptError);
  expect(readFileSync(file, "utf8")).toBe("These are my notes. ".repeat(100));
});

test("a record of a later format is refused in a sentence, and left as it is", () => {
  const folder = temporaryFolder();
  const store = openHere(folder);
  store.append(place, finished);
  store.close();
  const file = join(folder, "state.db");
  const later = new DatabaseSync(file);
  later.exec("PRAGMA user_version = 99");
  later.close();
  const before = readFileSync(file);
  for (const readOnly of [true, false]) {
    const open = () => openHere(folder, { readOnly });
    expect(open).toThrow(StoreVersionError);
    expect(open).toThrow(`The record ${file} has format 99, and this Bridle knows 3 at most. Use a newer Bridle;`);
  }
  expect(readFileSync(file).equals(before)).toBe(true);
});

test("a file is brought to a new format whole or not at all, and keeps what it has", () => {
  const database = new DatabaseSync(":memory:");
  const steps = ["CREATE TABLE a (x); INSERT INTO a VALUES (1)", "ALTER TABLE a ADD COLUMN y DEFAULT 2"];
  migrate(database, steps.slice(0, 1));
  expect(() => migrate(database, [...steps, "INSERT INTO missing VALUES (1)"])).toThrow(/no such table/);
  expect(database.prepare("SELECT * FROM a").get()).toEqual({ x: 1 });
  migrate(database, steps);
  migrate(database, steps);
  expect(database.prepare("SELECT * FROM a").all()).toEqual([{ x: 1, y: 2 }]);
});

test("only the owner of a record may read it", () => {
  const folder = temporaryFolder();
  const store = openHere(folder);
  store.append(place, begun);
  const id = store.putArtifact("private");
  const paths = ["", "state.db", "state.db-wal", join("artifacts", id.slice(0, 2), id)];
  for (const path of paths) expect(statSync(join(folder, path)).mode & 0o077).toBe(0);
});

/** Overwrites a page in the middle of a file. */
function damage(file: string): void {
  const middle = Math.floor(statSync(file).size / 4096 / 2) * 4096;
  writeSync(openSync(file, "r+"), Buffer.alloc(4096, 0xff), 0, 4096, middle);
}

function attempt<T>(read: () => readonly T[]): readonly T[] {
  try {
    return read();
  } catch {
    return [];
  }
}
