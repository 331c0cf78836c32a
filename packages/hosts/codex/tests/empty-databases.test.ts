/** Tests the copies of Codex's own databases, which save most of its start time (observed on 0.169.0). */
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createAgentRuntime } from "@bridle/core";
import { writeFakeCodexLogin } from "@bridle/rehearsal/tls";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { pinnedCodexVersion } from "../src/boundary/codex-binary.ts";
import { cacheFolder } from "../src/home/cache-folder.ts";
import { type DatabaseFiles, EmptyDatabases } from "../src/home/empty-databases.ts";
import { createDatabases } from "../src/process/database-preparation.ts";
import { Servers } from "../src/process/servers.ts";
import { hostileVariables } from "./support/payer-variables.ts";
import { startCodex } from "./support/test-backend.ts";

const word = "of-this-user";
const never = new AbortController().signal;

/** The databases, which are created once, among everything that a user could have. */
let databases: DatabaseFiles = new Map();
beforeAll(async () => {
  const home = await mkdtemp(join(tmpdir(), `bridle-${word}-`));
  await writeFakeCodexLogin(join(home, ".codex"));
  await writeFile(join(home, ".codex/AGENTS.md"), word);
  const environment = { PATH: process.env.PATH, HOME: home, USER: word, ...hostileVariables };
  databases = await createDatabases({ environment }, never);
  await rm(home, { recursive: true, force: true, maxRetries: 5 });
});

let root = "";
let cache = "";
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "bridle-databases-"));
  vi.stubEnv("XDG_CACHE_HOME", root); // other tests use the shared cache at the same time
  cache = join(root, "bridle");
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(root, { recursive: true, force: true, maxRetries: 5 });
});

/** Converts the files to strings, because comparing buffers byte by byte takes a test a second. */
const textsOf = (files: DatabaseFiles | undefined) =>
  [...(files ?? [])].map(([name, bytes]) => `${name} ${bytes.toString("base64")}`);

const fileOf = (folder = "") => join(folder, `codex-${pinnedCodexVersion}-databases.json`);

/** Returns the rows of each table that is not empty, without the table of migrations. */
async function rowsOf(files: DatabaseFiles): Promise<Record<string, unknown[]>> {
  for (const [name, bytes] of files) await writeFile(join(root, name), bytes);
  const rows: Record<string, unknown[]> = {};
  for (const name of [...files.keys()].filter((each) => each.endsWith(".sqlite"))) {
    const database = new DatabaseSync(join(root, name));
    const tables = database.prepare("select name from sqlite_schema where type = 'table'").all();
    for (const { name: table } of tables) {
      const found = database.prepare(`select * from "${String(table)}"`).all();
      if (found.length > 0 && table !== "_sqlx_migrations")
        rows[`${name} ${String(table)}`] = found.map((row) => ({ ...row }));
    }
    database.close();
  }
  return rows;
}

test("the databases that are kept hold only what Codex itself puts into new ones, and nothing of the user", async () => {
  const rows = await rowsOf(databases);
  const at = expect.any(Number);
  expect(rows).toEqual({
    "logs_2.sqlite sqlite_sequence": [{ name: "logs", seq: 0 }],
    "memories_1.sqlite consolidation_progress": [{ singleton: 1, max_thread_count: 0 }],
    "queue_1.sqlite sqlite_sequence": [{ name: "queued_thread_revisions", seq: 0 }],
    "state_5.sqlite backfill_state": [
      { id: 1, status: "complete", last_watermark: null, last_success_at: at, updated_at: at },
    ],
    "state_5.sqlite thread_sections": [expect.objectContaining({ name: "Pinned" })],
  });
  const bytes = Buffer.concat([...databases.values()]).toString("latin1");
  for (const trace of [word, "trapped", tmpdir(), "rehearsal-access", "sk-"]) expect(bytes).not.toContain(trace);
});

test("the databases come back from the cache as they were stored, in a file of this user alone", async () => {
  const kept = new EmptyDatabases(cache);
  expect(kept.read()).toBeUndefined();
  await kept.store(async () => databases);
  expect(textsOf(kept.read())).toEqual(textsOf(databases));
  expect(await readdir(cache)).toEqual([`codex-${pinnedCodexVersion}-databases.json`]);
});

type Change = (file: string) => Promise<unknown>;

async function expectUnused(_: string, change: Change): Promise<void> {
  const kept = new EmptyDatabases(cache);
  await kept.store(async () => databases);
  expect(textsOf(kept.read())).not.toEqual([]);
  await change(fileOf(cache));
  expect(textsOf(kept.read())).toEqual([]);
}

test.each<[string, Change]>([
  ["cut off", async (file) => writeFile(file, (await readFile(file, "utf8")).slice(0, 9000))],
  ["of another version", (file) => rewrite(file, pinnedCodexVersion, "0.168.0")],
  ["changed", async (file) => rewrite(file, (await readFile(file, "utf8")).slice(5000, 5020), "A".repeat(20))],
  ["with a file that is no database", (file) => rewrite(file, "goals_1.sqlite", "auth.json")],
  ["with a path", (file) => rewrite(file, "goals_1.sqlite", "../goals_1.sqlite")],
  ["writable by others", (file) => chmod(file, 0o666)],
  ["in a folder that others can write", () => chmod(cache, 0o777)],
])("a file that is %s is not used", expectUnused);

test.skipIf(process.getuid?.() !== 0).each<[string, Change]>([
  ["another user's", (file) => chown(file, 65_534, 65_534)],
  ["in another user's folder", () => chown(cache, 65_534, 65_534)],
])("a file that is %s is not used (needs root)", expectUnused);

async function rewrite(file: string, from: string, to: string): Promise<void> {
  const text = await readFile(file, "utf8");
  expect(text).toContain(from);
  await writeFile(file, text.replace(from, to));
}

test("a broken file and a link are replaced, and what the link leads to stays", async () => {
  await mkdir(cache);
  await writeFile(join(root, "other"), "other");
  for (const breakFile of [() => writeFile(fileOf(cache), "{"), () => symlink(join(root, "other"), fileOf(cache))]) {
    await rm(fileOf(cache), { force: true });
    await breakFile();
    const kept = new EmptyDatabases(cache);
    expect(kept.read()).toBeUndefined();
    await kept.store(async () => databases);
    expect(textsOf(kept.read())).toEqual(textsOf(databases));
  }
  expect(await readFile(join(root, "other"), "utf8")).toBe("other");
});

test("two programs that make the file at once leave one whole file", async () => {
  const stores = [1, 2].map(() => new EmptyDatabases(cache).store(async () => databases));
  await Promise.all(stores);
  expect(textsOf(new EmptyDatabases(cache).read())).toEqual(textsOf(databases));
  expect(await readdir(cache)).toHaveLength(1);
});

test("without a folder that can be written, no process is started for nothing", async () => {
  await writeFile(join(root, "file"), "");
  const make = vi.fn(async () => databases);
  await expect(new EmptyDatabases(join(root, "file")).store(make)).rejects.toThrow();
  expect(make).not.toHaveBeenCalled();
});

test("a process that fails leaves no file behind", async () => {
  const make = () => createDatabases({ environment: { TMPDIR: root } }, AbortSignal.abort(new Error("too late")));
  await expect(new EmptyDatabases(cache).store(make)).rejects.toThrow("too late");
  expect([await readdir(cache), (await readdir(root)).sort()]).toEqual([[], ["bridle"]]);
});

test("processes with copies of the databases run at once, each in its own, and the file stays as it is", async () => {
  const mark = "mark_1.sqlite"; // Codex creates no file with this name
  await new EmptyDatabases().store(async () => new Map([...databases, [mark, Buffer.from("mark")]]));
  const before = await readFile(fileOf(cache));
  const script = { rehearsal: 1 as const, turns: [{ steps: [{ say: "Hello." }] }] };
  const contexts = await Promise.all([1, 2, 3].map(() => startCodex(script, { environment: { TMPDIR: root } })));
  const runtimes = contexts.map(({ backend }) => createAgentRuntime({ backend, models: { default: "gpt-6-sol" } }));
  const results = await Promise.all(runtimes.map((runtime) => runtime.generateText({ prompt: "Hello?" })));
  expect(results.map(({ text }) => text)).toEqual(["Hello.", "Hello.", "Hello."]);
  const files = await readdir(root, { recursive: true });
  expect(files.filter((file) => basename(file) === mark)).toHaveLength(contexts.length);
  await Promise.all(runtimes.map((runtime) => runtime.close()));
  await Promise.all(contexts.map(({ close }) => close()));
  expect(await readFile(fileOf(cache))).toEqual(before);
});

test("the first process of a version makes the file for the next ones, and leaves no folder", async () => {
  const environment = { PATH: process.env.PATH, HOME: root, TMPDIR: root, OPENAI_API_KEY: "sk-of-the-test" };
  const kept = new EmptyDatabases(cache);
  const servers = new Servers({ auth: "api_key", environment }, kept);
  const first = await servers.acquire([]);
  await vi.waitFor(() => expect(kept.read()?.size).toBeGreaterThanOrEqual(5), { timeout: 60_000, interval: 100 });
  first.release();
  await servers.close();
  expect(await readdir(root)).toEqual(["bridle"]);
});

test("a backend that is closed at once makes no file", async () => {
  const environment = { PATH: process.env.PATH, HOME: root, TMPDIR: root, OPENAI_API_KEY: "sk-of-the-test" };
  const servers = new Servers({ auth: "api_key", environment }, new EmptyDatabases(cache));
  (await servers.acquire([])).release();
  await servers.close();
  expect(await readdir(root)).toEqual([]);
});

test.each<[string, Record<string, string>, string | undefined]>([
  ["linux", { HOME: "/h" }, "/h/.cache/bridle"],
  ["linux", { HOME: "/h", XDG_CACHE_HOME: "/x" }, "/x/bridle"],
  ["linux", { HOME: "/h", XDG_CACHE_HOME: "x" }, "/h/.cache/bridle"],
  ["linux", { HOME: "" }, undefined], // the cache is never in the working folder
  ["linux", {}, undefined],
  ["darwin", { HOME: "/h" }, "/h/Library/Caches/bridle"],
])("the cache on %s with %o is %s", (platform, environment, expected) => {
  expect(cacheFolder(environment, platform)).toBe(expected);
});
