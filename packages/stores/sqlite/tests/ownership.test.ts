/** An event log may have come with a project. The mark of the user's key distinguishes the user's own event logs. */
import { once } from "node:events";
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { appendEvents } from "@bridle/conformance";
import { describe, expect, test } from "vitest";
import { adoptStore, isOwnStore } from "../src/owner/own-store.ts";
import { begun, finished } from "./drafts.ts";
import { downgrade, openHere, temporaryFolder } from "./folders.ts";
import { startProgram } from "./programs.ts";

const [mine, theirs] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const scope = { runId: "r", sessionId: "s" };

/** Creates an event log with one run, and returns its folder. */
async function logOf(ownerKey: Uint8Array | undefined): Promise<string> {
  const folder = temporaryFolder();
  const store = openHere(folder, { ownerKey });
  await appendEvents(store, scope, begun, finished);
  await store.close();
  return folder;
}

/** Creates an event log whose process was killed, and returns its folder. Some of the events are only in files next to the database. */
async function crashedLog(ownerKey: Uint8Array): Promise<string> {
  const folder = temporaryFolder();
  const { child, ended } = startProgram("endless-writer.ts", folder, Buffer.from(ownerKey).toString("hex"));
  await once(child.stdout as NodeJS.ReadableStream, "data");
  child.kill("SIGKILL");
  await ended;
  expect(statSync(join(folder, "state.db-wal")).size).toBeGreaterThan(0);
  return folder;
}

const isOwn = (folder: string, ownerKey: Uint8Array | undefined = mine) => isOwnStore({ folder, ownerKey });

describe("an event log is the user's if", () => {
  test("it was created with the user's key, or does not exist", async () => {
    expect(isOwn(await logOf(mine))).toBe(true);
    expect(isOwn(temporaryFolder())).toBe(true);
  });

  test("the user moved or copied its folder", async () => {
    const folder = await logOf(mine);
    const [moved, copied] = [`${folder}-moved`, `${folder}-copied`];
    cpSync(folder, copied, { recursive: true });
    renameSync(folder, moved);
    expect([moved, copied].map((each) => isOwn(each))).toEqual([true, true]);
  });

  test("a process of the user has it open, also after events that are only beside the database", async () => {
    const folder = temporaryFolder();
    const store = openHere(folder, { ownerKey: mine });
    const other = openHere(folder, { ownerKey: mine });
    for (const each of [store, other]) {
      await appendEvents(each, { runId: "r", sessionId: `${each === store}` }, begun);
      expect(statSync(join(folder, "state.db-wal")).size).toBeGreaterThan(0);
      expect(isOwn(folder)).toBe(true);
    }
    store.close();
    expect(isOwn(folder)).toBe(true);
  });

  test("its process was killed, and the folder was moved since", async () => {
    const folder = await crashedLog(mine);
    expect(isOwn(folder)).toBe(true);
    const moved = `${folder}-moved`;
    renameSync(folder, moved);
    expect(isOwn(moved)).toBe(true);
    expect((await openHere(moved, { ownerKey: mine }).read({ runId: "endless" })).at(-1)?.type).toBe("run.finished");
  });

  test("ten processes create it at the same time", async () => {
    const folder = temporaryFolder();
    const key = Buffer.from(mine).toString("hex");
    const programs = Array.from({ length: 10 }, (_, index) =>
      startProgram("busy-writer.ts", folder, `s${index}`, `w${index}`, "0.3", key),
    );
    const looks: boolean[] = [];
    const looking = setInterval(() => looks.push(isOwn(folder)), 5);
    await Promise.all(programs.map(({ output }) => output));
    clearInterval(looking);
    expect(looks.length).toBeGreaterThan(0);
    expect(looks).not.toContain(false);
    expect(isOwn(folder)).toBe(true);
    expect(await openHere(folder).sessions()).toHaveLength(10);
  });
});

/** Changes to the user's `.bridle` folder that a checkout or an archive can make. */
const attacks: readonly (readonly [what: string, attack: (folder: string) => Promise<void> | void])[] = [
  ["an event log with exactly Bridle's schema", async (folder) => replace(folder, "state.db", await logOf(theirs))],
  ["an event log without a mark", async (folder) => replace(folder, "state.db", await logOf(undefined))],
  ["an event log with another id in its mark", (folder) => change(folder, "UPDATE owner SET id = 'ff'")],
  ["an event log with a mark without a code", (folder) => change(folder, "UPDATE owner SET tag = ''")],
  ["an event log of an earlier format", (folder) => downgrade(folder, 3)],
  [
    "an event log with a view in the place of the mark",
    (folder) => change(folder, "DROP TABLE owner; CREATE VIEW owner AS SELECT 'a' AS id, 'b' AS tag"),
  ],
  [
    "writes beside the database, which SQLite would apply",
    async (folder) => replace(folder, "state.db-wal", await crashedLog(theirs)),
  ],
  [
    "writes beside the database, and a seal of somebody else",
    async (folder) => {
      const other = await crashedLog(theirs);
      replace(folder, "state.db-seal", other);
      replace(folder, "state.db-wal", other);
    },
  ],
  ["writes beside the database in the place of the user's own after a crash", replaceAfterCrash],
  ["a rollback journal, which SQLite would apply", (folder) => writeFileSync(join(folder, "state.db-journal"), "x")],
  ["a file that is no database", (folder) => writeFileSync(join(folder, "state.db"), "x".repeat(5000))],
];

function replace(folder: string, name: string, from: string): void {
  rmSync(join(folder, name), { force: true });
  copyFileSync(join(from, name), join(folder, name));
}

async function replaceAfterCrash(folder: string): Promise<void> {
  const [own, other] = [await crashedLog(mine), await crashedLog(theirs)];
  rmSync(folder, { recursive: true });
  renameSync(own, folder);
  expect(isOwn(folder)).toBe(true);
  replace(folder, "state.db-wal", other); // a checkout removes a file and creates another one, maybe with the same inode number
}

function change(folder: string, sql: string): void {
  const database = new DatabaseSync(join(folder, "state.db"));
  database.exec(sql);
  database.close();
}

describe("an event log is not the user's if it has", () => {
  test.each(attacks)("%s, until the user adopts it", async (what, attack) => {
    const folder = await logOf(mine);
    await attack(folder);
    const before = readAll(folder);
    expect(isOwn(folder)).toBe(false);
    expect(readAll(folder)).toEqual(before);
    if (/journal|no database|view/.test(what)) return; // nothing can be adopted
    adoptStore({ folder, ownerKey: mine });
    expect(isOwn(folder)).toBe(true);
    expect(isOwn(folder, theirs)).toBe(false);
    expect((await openHere(folder).runs()).length).toBeGreaterThan(0);
  });

  test("no key to compare with", async () => {
    expect(isOwnStore({ folder: await logOf(mine), ownerKey: undefined })).toBe(false);
  });
});

test("what lies beside an empty or missing database is never applied", async () => {
  const other = await crashedLog(theirs);
  for (const content of ["", undefined]) {
    const folder = temporaryFolder();
    mkdirSync(folder);
    if (content !== undefined) writeFileSync(join(folder, "state.db"), content);
    replace(folder, "state.db-wal", other);
    writeFileSync(join(folder, "state.db-journal"), "x".repeat(1000));
    expect(isOwn(folder)).toBe(true);
    const store = openHere(folder, { ownerKey: mine });
    expect(await store.runs()).toEqual([]);
    await appendEvents(store, scope, begun);
    expect(isOwn(folder)).toBe(true);
    expect(existsSync(join(folder, "state.db-journal"))).toBe(false);
  }
});

test("an event log is created without a rollback journal", async () => {
  const folder = temporaryFolder();
  const store = openHere(folder, { ownerKey: mine });
  expect(readdirSync(folder).sort()).toEqual([
    ".gitignore",
    "state.db",
    "state.db-seal",
    "state.db-shm",
    "state.db-wal",
  ]);
  store.close();
});

test("an event log without a mark is opened with a key, and gets no mark by that", async () => {
  const folder = await logOf(undefined);
  expect(await openHere(folder, { ownerKey: mine }).runs()).toHaveLength(1);
  expect(isOwn(folder)).toBe(false);
});

function readAll(folder: string): Record<string, string> {
  const files = readdirSync(folder).filter((name) => statSync(join(folder, name)).isFile());
  return Object.fromEntries(files.sort().map((name) => [name, readFileSync(join(folder, name), "base64")]));
}
