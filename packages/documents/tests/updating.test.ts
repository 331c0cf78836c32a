import { mkdirSync, mkdtempSync, renameSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Documents, type DocumentsOptions, openDocuments, openSqliteStore } from "../src/index.ts";
import { createCountingEmbedder } from "./embedder-for-tests.ts";

let folder = "";
let opened: Documents[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "bridle-documents-"));
  mkdirSync(join(folder, "docs/deep"), { recursive: true });
});

afterEach(async () => {
  await Promise.all(opened.map((documents) => documents.close()));
  opened = [];
  rmSync(folder, { recursive: true, force: true });
});

function put(name: string, text: string): void {
  writeFileSync(join(folder, "docs", name), text);
}

function open(options: Partial<DocumentsOptions> = {}): Documents {
  const store = openSqliteStore(join(folder, "index.db"));
  const documents = openDocuments({ sources: ["docs"], baseDir: folder, store, searchMode: "keyword", ...options });
  opened.push(documents);
  return documents;
}

const sourcesOf = async (documents: Documents, query: string) =>
  (await documents.search(query)).map(({ file }) => file);

describe("an index", () => {
  test("follows its files: new, changed, shortened, renamed and removed ones; unchanged ones are not embedded again", async () => {
    const embedder = createCountingEmbedder(["apple", "pear", "plum", "fig"]);
    const documents = open({ searchMode: "hybrid", embedder });
    put("a.md", "# One\n\napple\n\n# Two\n\npear");
    put("deep/b.md", "# Three\n\nplum");
    put("c.txt", "fig");
    expect(await documents.update()).toMatchObject({
      added: ["docs/a.md", "docs/c.txt", "docs/deep/b.md"],
      chunks: 4,
      embedded: 4,
    });

    expect(await documents.update()).toMatchObject({ added: [], changed: [], unchanged: 3, chunks: 0, embedded: 0 });
    expect(embedder.texts).toHaveLength(4);

    put("a.md", "# One\n\napple\n\n# Two\n\npear and plum");
    expect(await documents.update()).toMatchObject({ changed: ["docs/a.md"], unchanged: 2, embedded: 1 });
    expect(embedder.texts.slice(4)).toEqual(["Two\n\n# Two\n\npear and plum"]);

    put("a.md", "# One\n\napple");
    renameSync(join(folder, "docs/c.txt"), join(folder, "docs/moved.txt"));
    rmSync(join(folder, "docs/deep/b.md"));
    expect(await documents.update()).toMatchObject({
      changed: ["docs/a.md"],
      renamed: [{ from: "docs/c.txt", to: "docs/moved.txt" }],
      removed: ["docs/deep/b.md"],
      embedded: 0,
    });
    expect(await sourcesOf(documents, "fig")).toContain("docs/moved.txt");
    expect((await documents.search("plum", { minScore: 0.4 })).map(({ text }) => text).join()).not.toContain("plum");
    expect((await documents.status()).files.map(({ name, chunks }) => [name, chunks])).toEqual([
      ["docs/a.md", 1],
      ["docs/moved.txt", 1],
    ]);
  });

  test("names each file that cannot be read, indexes the others, and keeps earlier contents", async () => {
    const documents = open({ maxFileBytes: 1_000_000 });
    put("good.md", "apple");
    put("bad.pdf", "%PDF-1.7 and no more");
    put("huge.txt", "pear");
    truncateSync(join(folder, "docs/huge.txt"), 200_000_000);
    put("late.json", '{"a": "plum"}');
    const { added, failed } = await documents.update();
    expect(added).toEqual(["docs/good.md", "docs/late.json"]);
    expect(failed.map(({ problem }) => problem)).toEqual([
      expect.stringMatching(/^docs\/bad\.pdf cannot be read as a PDF \(/),
      "docs/huge.txt has 200 MB, more than the limit of 1 MB. Split it, or raise max_file_mb.",
    ]);
    put("late.json", "{");
    expect((await documents.update()).failed.map(({ file }) => file)).toContain("docs/late.json");
    expect(await sourcesOf(documents, "plum")).toEqual(["docs/late.json"]);
    put("late.json", '{"a": "fig"}');
    expect((await documents.update()).changed).toEqual(["docs/late.json"]);
  });

  test("names a source that does not exist, and keeps its indexed files", async () => {
    const documents = open({ sources: ["docs", "missing"] });
    put("a.md", "apple");
    expect((await documents.update()).failed).toEqual([
      { file: "missing", problem: "missing does not exist. Correct the source." },
    ]);
    rmSync(join(folder, "docs"), { recursive: true });
    expect((await documents.update()).removed).toEqual([]);
    expect(await sourcesOf(documents, "apple")).toEqual(["docs/a.md"]);
  });

  test("has files, folders and globs, and skips names with a leading dot and node_modules", async () => {
    for (const name of ["a.md", "b.txt", ".hidden.md", "deep/c.md", "picture.png"]) put(name, name);
    mkdirSync(join(folder, "docs/node_modules"));
    put("node_modules/d.md", "d");
    const namesOf = async (sources: readonly string[]) => {
      const documents = open({ sources, store: openSqliteStore(join(folder, `${sources.join().length}.db`)) });
      return (await documents.update()).added;
    };
    expect(await namesOf(["docs"])).toEqual(["docs/a.md", "docs/b.txt", "docs/deep/c.md"]);
    expect(await namesOf(["docs/**/*.md"])).toEqual(["docs/a.md", "docs/deep/c.md"]);
    expect(await namesOf(["docs/b.txt", "docs/d*/c.md"])).toEqual(["docs/b.txt", "docs/deep/c.md"]);
  });

  test("has the readable files of a glob, as of a folder, and names a glob without matches", async () => {
    for (const name of ["a.md", "picture.png"]) put(name, name);
    const documents = open({ sources: ["docs/*", "docs/*.pdf"] });
    expect(await documents.update()).toMatchObject({
      added: ["docs/a.md"],
      failed: [{ file: "docs/*.pdf", problem: "docs/*.pdf matches no document. Correct the source, or remove it." }],
    });
    rmSync(join(folder, "docs/a.md"));
    expect((await documents.update()).removed).toEqual(["docs/a.md"]);
  });

  test("made with vectors of another model or length is refused until it is rebuilt", async () => {
    put("a.md", "apple");
    await open({ searchMode: "semantic", embedder: createCountingEmbedder(["apple"], "old") }).update();
    const other = open({ searchMode: "semantic", embedder: createCountingEmbedder(["apple"], "new") });
    const sentence =
      "The index was made with test old (2 dimensions), which cannot be compared with vectors of test new.";
    await expect(other.update()).rejects.toThrow(sentence);
    await expect(other.search("apple")).rejects.toThrow("bridle documents index --rebuild");
    const longer = open({ searchMode: "semantic", embedder: createCountingEmbedder(["apple", "pear"], "old") });
    await expect(longer.search("apple")).rejects.toThrow(
      "cannot be compared with vectors of test old with 3 dimensions",
    );
    expect(await other.rebuild()).toMatchObject({ embedded: 1 });
    expect(await sourcesOf(other, "apple")).toEqual(["docs/a.md"]);
  });

  test("made without vectors gets them if there is an embedder", async () => {
    put("a.md", "apple");
    await open().update();
    const documents = open({ searchMode: "semantic", embedder: createCountingEmbedder(["apple"]) });
    expect(await documents.update()).toMatchObject({ changed: ["docs/a.md"], embedded: 1 });
    expect(await sourcesOf(documents, "apple")).toEqual(["docs/a.md"]);
  });

  test("stays unchanged if an embedding fails, and continues from there", async () => {
    for (const name of ["a.md", "b.md", "c.md", "d.md", "e.md", "f.md"]) put(name, `apple ${name}`);
    const embedder = createCountingEmbedder(["apple"]);
    let left = 3;
    const failing: typeof embedder = {
      ...embedder,
      embed: async (texts) => (left-- > 0 ? embedder.embed(texts) : Promise.reject(new Error("the host is down"))),
    };
    const documents = open({ searchMode: "semantic", embedder: failing });
    await expect(documents.update()).rejects.toThrow("the host is down");
    left = 100;
    const { added, unchanged } = await documents.update();
    expect([added.length + unchanged, unchanged]).toEqual([6, 3]);
    expect(embedder.texts.filter((text) => text === "apple a.md")).toHaveLength(1);
  });

  test("stops if it is aborted, and concurrent requests share one update", async () => {
    put("a.md", "apple");
    const embedder = createCountingEmbedder(["apple"]);
    const documents = open({ searchMode: "semantic", embedder });
    await expect(documents.update({ signal: AbortSignal.abort(new Error("enough")) })).rejects.toThrow("enough");
    const [one, two] = await Promise.all([documents.update(), documents.update()]);
    expect(one).toBe(two);
    expect(embedder.texts).toHaveLength(1);
  });

  test("finds a part by its description from a model, which is requested once", async () => {
    put("a.md", "# Fees\n\nNone.");
    const asked: string[] = [];
    const describeChunk = async ({ text }: { text: string }) => {
      asked.push(text);
      return "About what returning costs.";
    };
    const documents = open({ describeChunk });
    await documents.update();
    put("b.md", "other");
    await documents.update();
    expect(asked).toEqual(["# Fees\n\nNone.", "other"]);
    expect(await documents.search("returning")).toMatchObject([{ context: "About what returning costs." }, {}]);
  });

  test("that needs vectors is an error without an embedder when it is opened", () => {
    expect(() => open({ searchMode: "hybrid" })).toThrow(
      "A hybrid search needs vectors, but no embeddings are configured. Set embedding_provider, or search_mode: keyword.",
    );
  });
});
