import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { StoreError } from "@bridle/protocol";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { firstFormat, NotesError, notesWith } from "./notes-for-tests.ts";
import { openDatabase } from "./sqlite-files.ts";
import type { StateFile } from "./state-file.ts";

const notes = notesWith();

let file = "";
beforeEach(() => {
  const root = mkdtempSync(join(tmpdir(), "bridle-state-file-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  file = join(root, ".bridle/notes.db");
});

/** Changes the file as another program would. */
function change(sql: string): void {
  mkdirSync(dirname(file), { recursive: true });
  using database = openDatabase(file);
  database.exec(sql);
}

/** Opens the file, adds a note, and returns all notes. */
function addNote(kind: StateFile = notes): readonly unknown[] {
  using database = kind.open(file);
  database.exec("INSERT INTO notes (text) VALUES ('new')");
  return database.prepare("SELECT text FROM notes ORDER BY rowid").all();
}

function errorOf(work: () => unknown): NotesError {
  try {
    work();
  } catch (error) {
    if (error instanceof NotesError) return error;
    throw error;
  }
  throw new Error("The work did not fail.");
}

test.skipIf(process.platform === "win32")("a new file and the files next to it are private", () => {
  using database = notes.open(file);
  database.exec("INSERT INTO notes (text) VALUES ('a')");
  for (const end of ["", "-wal", "-shm"]) expect(statSync(file + end).mode & 0o777).toBe(0o600);
  expect(statSync(dirname(file)).mode & 0o777).toBe(0o700);
  expect(database.prepare("PRAGMA user_version").get()).toEqual({ user_version: 2 });
});

test.skipIf(process.platform === "win32")("a file that others could read becomes private", () => {
  addNote();
  chmodSync(file, 0o644);
  addNote();
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test("a database without a path is in memory", () => {
  using database = notes.open();
  database.exec("INSERT INTO notes (text, author) VALUES ('a', 'b')");
  expect(existsSync(file)).toBe(false);
});

describe("a file of an older format", () => {
  test("is brought to the newest one, with its rows", () => {
    change(`${firstFormat}; INSERT INTO notes VALUES ('old'); PRAGMA user_version = 1`);
    expect(addNote()).toEqual([{ text: "old" }, { text: "new" }]);
    using database = notes.open(file);
    expect(database.prepare("SELECT text, author FROM notes").get()).toEqual({ text: "old", author: null });
  });

  test("stays as it was if a step of the migration fails", () => {
    change(`${firstFormat}; INSERT INTO notes VALUES ('old'); PRAGMA user_version = 1`);
    const failing = notesWith({ formats: [firstFormat, "CREATE TABLE more (a); INSERT INTO missing VALUES (1)"] });
    expect(errorOf(() => failing.open(file)).message).toContain("no such table: missing");
    expect(addNote()).toEqual([{ text: "old" }, { text: "new" }]);
  });

  test("from before formats had numbers counts as the first, only if Bridle wrote such files", () => {
    change(`${firstFormat.replace("TABLE", "TABLE IF NOT EXISTS")}; INSERT INTO notes VALUES ('old')`);
    expect(errorOf(() => notes.open(file)).message).toContain("that are not Bridle's");
    expect(addNote(notesWith({ isUnnumbered: true }))).toEqual([{ text: "old" }, { text: "new" }]);
    expect(addNote()).toHaveLength(3);
  });
});

test("a file of a newer format is refused, and stays unchanged", () => {
  addNote();
  change("CREATE TABLE more (a TEXT); PRAGMA user_version = 3");
  const before = readFileSync(file);
  for (const kind of [notes, notesWith({ ifUnusable: "replace" })])
    expect(errorOf(() => kind.open(file)).message).toBe(
      `A newer Bridle wrote ${file}. Update Bridle, or remove the file and write them again.`,
    );
  expect(readFileSync(file).equals(before)).toBe(true);
});

describe("a schema that is not of the format is refused without a change, or replaced if the content can be", () => {
  test.each([
    ["a trigger", "CREATE TRIGGER t AFTER INSERT ON notes BEGIN DELETE FROM notes; END"],
    [
      "a trigger, and the format of a new file",
      "CREATE TRIGGER t AFTER INSERT ON notes BEGIN SELECT 1; END; PRAGMA user_version = 0",
    ],
    ["a view in the place of the table", "DROP TABLE notes; CREATE VIEW notes AS SELECT 'x' AS text, NULL AS author"],
    ["a further table", "CREATE TABLE more (a TEXT)"],
    ["a further index", "CREATE INDEX more ON notes (text)"],
    ["a further column", "ALTER TABLE notes ADD COLUMN more TEXT DEFAULT 'x'"],
    ["a missing index", "DROP INDEX notes_by_author"],
    ["the schema of an older format", "DROP INDEX notes_by_author; ALTER TABLE notes DROP COLUMN author"],
  ])("%s", (_title, sql) => {
    addNote();
    change(sql);
    const before = readFileSync(file);
    expect(errorOf(() => notes.open(file)).message).toBe(
      `${file} has tables or triggers that are not Bridle's, so it is not used. It may be from somebody else. Move it away, and write them again.`,
    );
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(addNote(notesWith({ ifUnusable: "replace" }))).toEqual([{ text: "new" }]);
  });

  test("the database of another program", () => {
    change("CREATE TABLE orders (id)");
    const before = readFileSync(file);
    expect(errorOf(() => notes.open(file)).message).toContain("Move it away");
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(readdirSync(dirname(file)).sort()).toEqual([".gitignore", "notes.db"]);
  });
});

describe("a damaged file", () => {
  test("is refused without a change, or replaced if its content can be", () => {
    mkdirSync(dirname(file));
    writeFileSync(file, "These are my notes. ".repeat(100));
    const message = `The notes in ${file} are damaged. Remove the file, and write them again.`;
    expect(errorOf(() => notes.open(file)).message).toBe(message);
    expect(readFileSync(file, "utf8")).toBe("These are my notes. ".repeat(100));
    expect(addNote(notesWith({ ifUnusable: "replace" }))).toEqual([{ text: "new" }]);
  });

  test("has the remedy of its kind, even if the damage is found later", () => {
    const one = notesWith({ subject: "The index", isPlural: false, remedy: "Build it again." });
    const message = `The index ${file} is damaged. Build it again.`;
    expect(errorOf(() => one.explain(file, () => JSON.parse("{"))).message).toBe(message);
    mkdirSync(dirname(file));
    writeFileSync(file, "no database ".repeat(100));
    expect(errorOf(() => one.open(file)).message).toBe(message);
  });
});

test("a folder in the place of the file is refused with its path", () => {
  mkdirSync(file, { recursive: true });
  const { message } = errorOf(() => notes.open(file));
  expect(message).toContain(`The notes in ${file} cannot be used: it is a folder.`);
  expect(statSync(file).isDirectory()).toBe(true);
});

test("a file in the place of the folder is refused with its path", () => {
  writeFileSync(dirname(file), "");
  expect(errorOf(() => notes.open(file)).message).toMatch(/The notes in .*notes\.db cannot be used: (EEXIST|ENOTDIR)/);
});

test.each(["", "-wal", "-shm", "-journal"])("a link in the place of %j is refused", (end) => {
  mkdirSync(dirname(file));
  const target = join(dirname(file), "../elsewhere");
  symlinkSync(target, file + end);
  expect(() => notes.open(file)).toThrow(StoreError);
  expect(() => notes.open(file)).toThrow("is a link");
  expect(existsSync(target)).toBe(false);
});

test("a file that another process writes for too long is reported as busy", () => {
  using database = notes.open(file);
  using other = notes.open(file);
  other.exec("BEGIN IMMEDIATE");
  database.exec("PRAGMA busy_timeout = 0");
  expect(errorOf(() => notes.explain(file, () => database.exec("BEGIN IMMEDIATE"))).message).toBe(
    `The notes in ${file} cannot be written: another process has been writing for 10 s. Try again.`,
  );
});

test("a full disk is reported with a remedy", () => {
  using database = notes.open(file);
  database.exec("PRAGMA max_page_count = 1");
  const fill = () => database.prepare("INSERT INTO notes (text) VALUES (?)").run("x".repeat(100_000));
  expect(errorOf(() => notes.explain(file, fill)).message).toBe(
    `No disk space is left for ${file}. Free some, and write them again. Stored results were kept.`,
  );
});

/** A program that opens the file, adds a note and prints the number of notes, or the error. */
const program = `
  const [module, file, at] = process.argv.slice(1);
  const { notesWith } = await import(module);
  while (Date.now() < Number(at)) {}
  try {
    const database = notesWith().open(file);
    database.exec("INSERT INTO notes (text) VALUES ('new')");
    console.log(database.prepare("SELECT count(*) AS number FROM notes").get().number);
  } catch (error) {
    console.log(error.message);
  }`;
const words = ["--conditions=@bridle/source", "--no-warnings", "--input-type=module", "-e", program];
const module = pathToFileURL(join(import.meta.dirname, "notes-for-tests.ts")).href;

test.each([
  ["a new file", ""],
  ["a file of an older format", `${firstFormat}; PRAGMA user_version = 1`],
])("processes that open %s at the same time all write to it", async (_title, sql) => {
  if (sql !== "") change(sql);
  const start = Date.now() + 1500;
  const outputs = Array.from({ length: 4 }, async () => {
    const child = spawn(process.execPath, [...words, module, file, String(start)]);
    const [output] = await Promise.all([text(child.stdout), once(child, "close")]);
    return Number(output);
  });
  const counts = (await Promise.all(outputs)).sort();
  expect(counts.at(-1)).toBe(4);
  expect(counts.every((count) => count >= 1)).toBe(true);
});

describe("a user without permission", () => {
  /** Root has all permissions, so the test runs as another user. */
  const unprivileged = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

  function openUnprivileged(): string {
    return spawnSync(process.execPath, [...words, module, file, "0"], { ...unprivileged, encoding: "utf8" }).stdout;
  }

  /** Fails if only root may read this checkout. */
  const canRun = spawnSync(
    process.execPath,
    ["-e", `fs.accessSync(${JSON.stringify(import.meta.filename)})`],
    unprivileged,
  );

  test.runIf(process.platform !== "win32" && canRun.status === 0)("is told what may not be written", () => {
    addNote();
    chmodSync(dirname(dirname(file)), 0o755);
    chmodSync(file, 0o444);
    chmodSync(dirname(file), 0o555);
    expect(openUnprivileged()).toMatch(/^The notes in .*notes\.db cannot be written: .*\. Give this user write access/);
    rmSync(file);
    expect(openUnprivileged()).toMatch(/^The notes in .*notes\.db cannot be written: .*\. Give this user write access/);
    chmodSync(dirname(file), 0o755);
  });
});
