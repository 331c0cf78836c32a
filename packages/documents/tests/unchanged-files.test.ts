import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Documents, openDocuments, openSqliteStore } from "../src/index.ts";

let folder = "";
let documents: Documents;
const files = 10;
const fileBytes = 200_000;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "bridle-documents-"));
  mkdirSync(join(folder, "docs"));
  documents = open();
});

afterEach(async () => {
  await documents.close();
  rmSync(folder, { recursive: true, force: true });
});

function open(maxTokens = 400): Documents {
  const store = openSqliteStore(join(folder, "index.db"));
  const chunking = { maxTokens };
  return openDocuments({ sources: ["docs"], baseDir: folder, store, searchMode: "keyword", chunking });
}

const pathOf = (name: string) => join(folder, "docs", name);

/** Returns the number of bytes that this process has read from files, if the operating system counts them. */
function bytesRead(): number {
  return Number(/^rchar: (\d+)$/m.exec(readFileSync("/proc/self/io", "utf8"))?.[1]);
}

/** Waits until a change to an existing file would change its times. */
function untilSettled(): Promise<void> {
  return sleep(2100);
}

describe("an update", () => {
  test.skipIf(process.platform !== "linux")("does not read files again that look the same", async () => {
    for (let file = 0; file < files; file++)
      writeFileSync(pathOf(`${file}.txt`), `${file}\n${"word ".repeat(fileBytes / 5)}`);
    await documents.update();
    await untilSettled();
    await documents.update(); // the last files were changed just before the first update
    const readBytes = async () => {
      const before = bytesRead();
      expect((await documents.update()).unchanged).toBe(files);
      return bytesRead() - before;
    };
    expect(await readBytes()).toBeLessThan(fileBytes);
    utimesSync(pathOf("0.txt"), 1, 1);
    expect(await readBytes()).toBeGreaterThan(fileBytes);
  });

  test.each([
    ["size", (path: string) => writeFileSync(path, "plum and more")],
    ["times, with the same size", (path: string) => writeFileSync(path, "plum!")],
    [
      "content, with its size and time put back",
      (path: string) => {
        const { atime, mtime } = statSync(path);
        writeFileSync(path, "plum!");
        utimesSync(path, atime, mtime);
      },
    ],
    [
      "file, with the size and time of the one before",
      (path: string) => {
        const { atime, mtime } = statSync(path);
        writeFileSync(`${path}.new`, "plum!");
        utimesSync(`${path}.new`, atime, mtime);
        renameSync(`${path}.new`, path);
      },
    ],
  ])("notices another %s", async (_what, change) => {
    const path = pathOf("a.txt");
    writeFileSync(path, "apple");
    await untilSettled();
    await documents.update();
    expect(await documents.update()).toMatchObject({ unchanged: 1 });
    change(path);
    expect(await documents.update()).toMatchObject({ changed: ["docs/a.txt"] });
    expect(await documents.search("plum")).toHaveLength(1);
  });

  test("notices each of several changes that follow one another at once", async () => {
    for (let change = 0; change < 6; change++) {
      writeFileSync(pathOf("a.txt"), `apple${String(change).padStart(2, "0")}`);
      await documents.update();
      expect((await documents.search(`apple${String(change).padStart(2, "0")}`)).length).toBe(1);
    }
  });

  test("reads files again if they are indexed in another way", async () => {
    writeFileSync(pathOf("a.txt"), "apple. ".repeat(200));
    await untilSettled();
    await documents.update();
    await documents.close();
    documents = open(50);
    expect(await documents.update()).toMatchObject({ changed: ["docs/a.txt"] });
  });

  test("finds renamed files, also many with the same content", async () => {
    for (let file = 0; file < 50; file++) writeFileSync(pathOf(`a${file}.txt`), "apple");
    await documents.update();
    for (let file = 0; file < 50; file++) renameSync(pathOf(`a${file}.txt`), pathOf(`b${file}.txt`));
    const { renamed, added, removed } = await documents.update();
    expect([renamed.length, added, removed]).toEqual([50, [], []]);
  });
});
