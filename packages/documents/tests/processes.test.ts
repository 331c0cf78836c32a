import { type ChildProcessWithoutNullStreams, type SpawnOptions, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { openDocuments, openSqliteStore } from "../src/index.ts";
import { DocumentReader } from "../src/reading/document-reader.ts";
import { createCountingEmbedder } from "./embedder-for-tests.ts";

const program = fileURLToPath(new URL("./indexing-writer.ts", import.meta.url));
const files = 60;

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "bridle-documents-processes-"));
  mkdirSync(join(folder, "docs"));
  for (let index = 0; index < files; index += 1)
    put(`${index}.md`, `# File ${index}\n\n${`word${index} `.repeat(800)}`);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const put = (name: string, text: string) => writeFileSync(join(folder, "docs", name), text);
const index = () => join(folder, "index.db");

function start(user: Pick<SpawnOptions, "uid" | "gid"> = {}): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, ["--conditions=@bridle/source", program, folder, index()], user);
}

/** A user to run as instead of root, who may read every folder. */
const somebody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
const readProgram = ["-e", "require('node:fs').readFileSync(process.argv[1])", program];
const isSomebody = spawnSync(process.execPath, readProgram, somebody).status === 0;

/** Returns the output of a process that must succeed. */
async function ended(child: ChildProcessWithoutNullStreams): Promise<string> {
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => output.push(String(data)));
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(output.join(""));
  return output.join("");
}

const open = (options: Partial<Parameters<typeof openDocuments>[0]> = {}) =>
  openDocuments({
    sources: ["docs"],
    baseDir: folder,
    store: openSqliteStore(index()),
    searchMode: "keyword",
    ...options,
  });

describe("an index", () => {
  test("is whole after its process was killed in the middle, and the next process continues its update", async () => {
    const child = start();
    let seen = 0;
    for await (const data of child.stdout) {
      seen += String(data).split("\n").length - 1;
      if (seen > 20) break;
    }
    child.kill("SIGKILL");
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    const documents = open();
    const before = await documents.status();
    for (const { chunks } of before.files) expect(chunks).toBe(before.files[0]?.chunks);
    const { added, unchanged } = await documents.update();
    expect([added.length + unchanged, unchanged]).toEqual([files, before.files.length]);
    expect(unchanged).toBeGreaterThan(0);
    expect((await documents.search("word59"))[0]?.file).toBe("docs/59.md");
    await documents.close();
  });

  test.skipIf(!isSomebody)("names a folder that cannot be read, and keeps its indexed files", async () => {
    chmodSync(folder, 0o777);
    mkdirSync(join(folder, "docs/deep"));
    put("deep/a.md", "plum");
    await ended(start(somebody));
    chmodSync(join(folder, "docs/deep"), 0o000);
    const report = await ended(start(somebody));
    chmodSync(join(folder, "docs/deep"), 0o700);
    expect(report).toContain("docs/deep cannot be read (EACCES). Make it readable, or leave it out of the source.");
    const documents = open();
    expect((await documents.search("plum"))[0]?.file).toBe("docs/deep/a.md");
    await documents.close();
  });

  test("is the same after an update by two processes at the same time as after one by a single process", async () => {
    const reports = await Promise.all([ended(start()), ended(start())]);
    for (const report of reports) expect(report).toContain('"failed":[]');
    const documents = open();
    expect(await documents.update()).toMatchObject({ added: [], changed: [], removed: [], unchanged: files });
    expect((await documents.status()).files).toHaveLength(files);
    expect(await documents.search("word7", { topK: 100 })).toHaveLength(
      (await documents.status()).files[7]?.chunks ?? 0,
    );
    await documents.close();
  });

  test("skips links in a circle, follows links to files, and distinguishes names by their case", async () => {
    symlinkSync(join(folder, "docs"), join(folder, "docs/circle"));
    symlinkSync(join(folder, "docs/1.md"), join(folder, "docs/link.md"));
    symlinkSync(join(folder, "nowhere"), join(folder, "docs/broken.md"));
    put("Case.md", "upper");
    put("case.md", "lower");
    const documents = open();
    const { added, failed } = await documents.update();
    expect([added.length, failed]).toEqual([files + 3, []]);
    expect((await documents.search("lower"))[0]?.file).toBe("docs/case.md");
    await documents.close();
  });
});

describe("a shared update", () => {
  test("continues for the others if one caller stops waiting, and reports progress to all", async () => {
    const documents = open();
    const stop = new AbortController();
    const told = { one: 0, two: 0 };
    const one = documents.update({ signal: stop.signal, onProgress: () => void told.one++ });
    const two = documents.update({ onProgress: () => void told.two++ });
    stop.abort(new Error("enough"));
    await expect(one).rejects.toThrow("enough");
    expect((await two).added).toHaveLength(files);
    expect(told.two).toBe(files);
    await documents.close();
  });

  test("ends if no caller waits any more, and starts again for a later caller, never twice at the same time", async () => {
    const embedder = createCountingEmbedder(["word"]);
    let atOnce = 0;
    let max = 0;
    const slow: typeof embedder = {
      ...embedder,
      async embed(texts, options) {
        max = Math.max(max, ++atOnce);
        await new Promise((resolve) => setTimeout(resolve, 2));
        atOnce -= 1;
        return embedder.embed(texts, options);
      },
    };
    const documents = open({ searchMode: "hybrid", embedder: slow });
    const stop = new AbortController();
    const given = documents.update({
      signal: stop.signal,
      onProgress: ({ done }) => done === 10 && stop.abort(new Error("enough")),
    });
    await expect(given).rejects.toThrow("enough");
    const { added, unchanged } = await documents.update();
    expect(added.length + unchanged).toBe(files);
    expect(max).toBeLessThanOrEqual(4);
    await documents.close();
  });

  test("is stopped when the documents are closed", async () => {
    const documents = open();
    const update = documents.update();
    const rejected = expect(update).rejects.toThrow("stopped");
    await documents.close();
    await rejected;
  });
});

const note = { name: "a.md", bytes: new TextEncoder().encode("# Returns\n\nSend it back.") };

/** Returns the child processes of this process. */
function children(): readonly number[] {
  const pids = readFileSync(`/proc/self/task/${process.pid}/children`, "utf8").match(/\d+/g) ?? [];
  return pids.map(Number);
}

test.skipIf(process.platform !== "linux").each(["SIGTERM", "SIGKILL"] as const)(
  "a file is read although what an earlier file left behind has ended the process that reads, by %s (needs Linux)",
  async (signal) => {
    const reader = new DocumentReader({ maxFileBytes: 1_000_000 });
    onTestFinished(() => reader.close());
    const read = () => reader.read({ file: note, chunking: {}, records: {}, willDescribe: false });
    const before = new Set(children());
    const first = await read();
    const [pid, ...others] = children().filter((each) => !before.has(each));
    if (pid === undefined || others.length > 0) throw new Error("The reader has another number of processes than 1.");
    process.kill(pid, signal);
    await expect.poll(children).not.toContain(pid);
    expect(await read()).toEqual(first);
  },
);
