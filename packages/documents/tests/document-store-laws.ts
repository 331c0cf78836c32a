import { describe, expect, test } from "vitest";
import {
  type DocumentStore,
  DocumentStoreError,
  type FileToStore,
  OtherSpaceError,
  type StoredChunk,
} from "../src/index.ts";

export interface StoreHarness {
  /** Opens the store with this name. Within a test, the same name opens the same store; different tests use different stores. */
  open(name: string): Promise<DocumentStore>;
}

/** Declares the tests that every store has to pass. */
export function testDocumentStore(name: string, { open }: StoreHarness): void {
  describe(name, () => {
    test("stores files with all their chunks, in order", async () => {
      const store = await open("a");
      const chunks: StoredChunk[] = [
        { text: "one \u0000 ' \" \\ 🙂 Ω", headings: ["A", "B"], lines: { from: 1, to: 3 } },
        { text: "two", headings: [], page: 4, context: "about two" },
      ];
      await store.replace(fileOf("b.md", chunks));
      await store.replace(fileOf("a.md", []));
      expect(await store.files()).toEqual([
        { name: "a.md", hash: "hash of a.md", chunks: 0 },
        { name: "b.md", hash: "hash of b.md", chunks: 2 },
      ]);
      expect(await store.chunksOf("b.md")).toEqual(chunks);
      expect(await store.chunksOf("missing.md")).toEqual([]);
      expect(await (await open("a")).files()).toHaveLength(2);
    });

    test("keeps the warnings of a file until it is replaced or removed, also under another name", async () => {
      const store = await open("a");
      await store.replace({ ...fileOf("a", textsOf("a")), warnings: ["is odd.", "is long."] });
      await store.replace({ ...fileOf("b", []), warnings: ["is empty."] });
      await store.rename("a", "c");
      expect(await store.warnings()).toEqual([
        { name: "b", problem: "is empty." },
        { name: "c", problem: "is odd." },
        { name: "c", problem: "is long." },
      ]);
      await store.replace(fileOf("c", textsOf("c")));
      await store.remove(["b"]);
      expect(await store.warnings()).toEqual([]);
    });

    test("keeps the last list of files that are left out, and forgets it when it is cleared", async () => {
      const store = await open("a");
      expect(await store.leftOut()).toEqual([]);
      const [one, two] = [
        { name: "a.pdf", kind: "failed", problem: "is damaged 🙂." },
        { name: "b.png", kind: "skipped", problem: "is a 'picture'." },
      ] as const;
      await store.leaveOut([two, one]);
      expect(await store.leftOut()).toEqual([one, two]);
      await store.leaveOut([two]);
      expect(await (await open("a")).leftOut()).toEqual([two]);
      await store.leaveOut([]);
      expect(await store.leftOut()).toEqual([]);
      await store.leaveOut([one]);
      await store.clear();
      expect(await store.leftOut()).toEqual([]);
    });

    test("replaces a file, and finds none of its earlier text", async () => {
      const store = await open("a");
      await store.replace(fileOf("a.md", textsOf("apple", "pear", "fig")));
      const [before] = await store.byTerms(["apple"], 9);
      await store.replace(fileOf("a.md", textsOf("plum")));
      expect(await textsFound(store, ["apple", "pear", "fig"])).toEqual([]);
      expect(await textsFound(store, ["plum"])).toEqual(["plum"]);
      expect(await store.read([before?.id ?? 0])).toEqual([]);
    });

    test("removes files, and clears itself; removing a missing file is no error", async () => {
      const store = await open("a");
      for (const each of ["a", "b", "c"]) await store.replace(fileOf(each, textsOf(each), unit(1, 0)));
      await store.remove(["a", "missing"]);
      expect((await store.files()).map((file) => file.name)).toEqual(["b", "c"]);
      expect(await store.byTerms(["a"], 9)).toEqual([]);
      await store.clear();
      expect([await store.files(), await store.byTerms(["b"], 9), await store.vectorSpace()]).toEqual([
        [],
        [],
        undefined,
      ]);
    });

    test("renames a file, even over another one, and reports a missing file", async () => {
      const store = await open("a");
      for (const each of ["a", "b"]) await store.replace(fileOf(each, textsOf(each)));
      expect(await store.rename("missing", "b")).toBe(false);
      expect(await store.rename("a", "b")).toBe(true);
      expect(await store.files()).toEqual([{ name: "b", hash: "hash of a", chunks: 1 }]);
      expect(await textsFound(store, ["a", "b"])).toEqual(["a"]);
      expect(await store.rename("b", "b")).toBe(true);
    });

    test("keeps the stamps of files with the same hash, and removes them when a file is replaced or removed", async () => {
      const store = await open("a");
      for (const each of ["a", "b", "c"]) await store.replace(fileOf(each, textsOf(each)));
      const stampOf = (name: string, stamp: string, hash = `hash of ${name}`) => ({ name, hash, stamp });
      await store.mark([
        stampOf("a", "1"),
        stampOf("b", "1"),
        stampOf("c", "1", "an older hash"),
        stampOf("gone", "1"),
      ]);
      await store.mark([stampOf("a", "2")]);
      const stamps = async () => (await store.stamps()).map(({ name, stamp }) => [name, stamp]).sort();
      expect(await stamps()).toEqual([
        ["a", "2"],
        ["b", "1"],
      ]);
      await store.replace(fileOf("a", textsOf("a")));
      await store.remove(["b"]);
      expect(await stamps()).toEqual([]);
    });

    test("distinguishes names that differ only in case", async () => {
      const store = await open("a");
      for (const each of ["Read.md", "read.md", "READ.md"])
        await store.replace(fileOf(each, textsOf(each.slice(0, 4))));
      expect((await store.files()).map((file) => file.name)).toEqual(["READ.md", "Read.md", "read.md"]);
    });

    test("ranks by BM25, with the scores of its definition", async () => {
      const store = await open("a");
      await store.replace(fileOf("a.md", textsOf("apple apple pear", "apple plum plum plum plum fig", "fig", "kiwi")));
      await store.replace(fileOf("b.md", textsOf("nut", "nut oat", "oat")));
      // 7 chunks of 15 terms; "apple" is in 2 of them, "pear" in 1: ln(5.5 / 2.5) and ln(6.5 / 1.5)
      const [apple, pear, mean] = [Math.log(5.5 / 2.5), Math.log(6.5 / 1.5), 15 / 7];
      const part = (count: number, length: number) => count / (count + 1.2 * (0.25 + (0.75 * length) / mean));
      const found = await store.byTerms(["apple", "pear", "apple", "nowhere"], 9);
      expect((await store.read(found.map(({ id }) => id))).map(({ text }) => text)).toEqual([
        "apple apple pear",
        "apple plum plum plum plum fig",
      ]);
      expect(found[0]?.score).toBeCloseTo((apple * part(2, 3) + pear * part(1, 3)) / (apple + pear), 9);
      expect(found[1]?.score).toBeCloseTo((apple * part(1, 6)) / (apple + pear), 9);
    });

    test("ranks as if removed files had never been indexed", async () => {
      const [changed, plain] = [await open("a"), await open("b")];
      for (const each of ["x.md", "y.md"]) await changed.replace(fileOf(each, textsOf("apple of old", "pear of old")));
      for (const store of [changed, plain])
        await store.replace(fileOf("z.md", textsOf("apple pie", "pear pie", "fig", "nut", "apple")));
      await changed.remove(["x.md"]);
      await changed.replace(fileOf("y.md", []));
      const scores = async (store: DocumentStore) =>
        (await store.byTerms(["apple", "pie"], 9)).map(({ score }) => score);
      for (const [at, score] of (await scores(plain)).entries())
        expect((await scores(changed))[at]).toBeCloseTo(score, 9);
    });

    test("finds the words of any script, and treats operators as plain terms", async () => {
      const store = await open("a");
      const words = ["παραγγελια", "返品", "ההזמנה", "12·50", "🙂", "and", "near", "x".repeat(200)];
      await store.replace(fileOf("a.md", textsOf(...words)));
      for (const word of words) expect(await textsFound(store, [word])).toEqual([word]);
      for (const odd of ['"', "a*", "or", "(", "%", "'"]) expect(await store.byTerms([odd], 9)).toEqual([]);
      expect(await store.byTerms([], 9)).toEqual([]);
      expect(await store.byTerms(words, 3)).toHaveLength(3);
    });

    test("finds the nearest vectors, nearest first, and ranks opposite ones last", async () => {
      const store = await open("a");
      await store.replace(fileOf("a", textsOf("east"), unit(1, 0)));
      await store.replace(fileOf("b", textsOf("north east"), unit(3, 4)));
      await store.replace(fileOf("c", textsOf("west"), unit(-1, 0)));
      await store.replace(fileOf("d", textsOf("without a place"), Float32Array.of(0, 0)));
      const found = await store.byVector(unit(1, 0), 9);
      expect((await store.read(found.map(({ id }) => id))).map(({ text }) => text).slice(0, 2)).toEqual([
        "east",
        "north east",
      ]);
      expect(found.map(({ score }) => Number(score.toFixed(6)))).toEqual([1, 0.6, 0, 0]);
      expect(await store.byVector(unit(1, 0), 2)).toHaveLength(2);
      await store.remove(["a"]);
      expect(await store.byVector(unit(1, 0), 9)).toHaveLength(3);
    });

    test("returns vectors unchanged", async () => {
      const store = await open("a");
      const vector = Float32Array.from({ length: 50 }, (_, index) => Math.sin(index) * 10 ** -(index % 12));
      await store.replace(fileOf("a", textsOf("one", "two"), vector));
      expect((await store.chunksOf("a")).map((chunk) => chunk.vector)).toEqual([vector, vector]);
    });

    test("refuses vectors of another model or length and names its own; files without vectors are accepted", async () => {
      const store = await open("a");
      expect(await store.vectorSpace()).toBeUndefined();
      await store.replace(fileOf("a", textsOf("a"), unit(1, 0)));
      expect(await store.vectorSpace()).toEqual({ model: "m", dimensions: 2 });
      await store.replace(fileOf("plain", textsOf("plain")));
      await expect(store.replace(fileOf("b", textsOf("b"), unit(1, 0), "other"))).rejects.toThrow(OtherSpaceError);
      await expect(store.replace(fileOf("b", textsOf("b"), Float32Array.of(1, 0, 0)))).rejects.toThrow(
        "The index was made with m (2 dimensions), which cannot be compared with vectors of m with 3 dimensions.",
      );
      expect((await store.files()).map((file) => file.name)).toEqual(["a", "plain"]);
      await store.replace(fileOf("a", textsOf("a")));
      expect(await store.vectorSpace()).toBeUndefined();
      await store.replace(fileOf("b", textsOf("b"), Float32Array.of(1, 0, 0), "other"));
      expect(await store.vectorSpace()).toEqual({ model: "other", dimensions: 3 });
    });

    test("replaces a file of many chunks as a whole", async () => {
      const store = await open("a");
      const texts = Array.from({ length: 1050 }, (_, index) => `word${index} common`);
      await store.replace(fileOf("big", textsOf(...texts), unit(1, 0)));
      expect((await store.chunksOf("big")).map(({ text }) => text)).toEqual(texts);
      expect(await textsFound(store, ["word1049"])).toEqual(["word1049 common"]);
      expect(await store.byVector(unit(1, 0), 2000)).toHaveLength(1050);
    });

    test("stays consistent if two connections write the same files at the same time", async () => {
      const stores = [await open("a"), await open("a")];
      const writes = ["a", "b", "c", "d"].flatMap((each) =>
        stores.map((store, writer) =>
          store.replace(fileOf(each, textsOf(`${each} of ${writer}`, "second"), unit(1, 0))),
        ),
      );
      await Promise.all(writes);
      for (const store of stores) {
        expect((await store.files()).map(({ chunks }) => chunks)).toEqual([2, 2, 2, 2]);
        expect(await store.byTerms(["second"], 99)).toHaveLength(4);
        expect(await store.byVector(unit(1, 0), 99)).toHaveLength(8);
      }
    });

    test("sees changes of another connection, including vectors", async () => {
      const [one, two] = [await open("a"), await open("a")];
      await one.replace(fileOf("a", textsOf("a"), unit(1, 0)));
      expect(await two.byVector(unit(1, 0), 9)).toHaveLength(1);
      await one.replace(fileOf("b", textsOf("b"), unit(1, 0)));
      expect(await two.byVector(unit(1, 0), 9)).toHaveLength(2);
      await one.clear();
      expect([await two.byVector(unit(1, 0), 9), await two.byTerms(["a"], 9)]).toEqual([[], []]);
    });

    test("has no data of an index with another name", async () => {
      const [one, two] = [await open("handbook"), await open("Handbook!")];
      await one.replace(fileOf("a", textsOf("apple")));
      expect([await two.files(), await two.byTerms(["apple"], 9)]).toEqual([[], []]);
    });

    test("refuses calls after it was closed, and may be closed twice", async () => {
      const store = await open("a");
      await store.close();
      await store.close();
      await expect(store.files()).rejects.toThrow(DocumentStoreError);
    });
  });
}

function fileOf(name: string, chunks: readonly StoredChunk[], vector?: Float32Array, model = "m"): FileToStore {
  return {
    name,
    hash: `hash of ${name}`,
    chunks: chunks.map((chunk) => (vector ? { ...chunk, vector } : chunk)),
    ...(vector && { space: { model, dimensions: vector.length } }),
    termsOf: ({ text }) => text.match(/[^\s\p{Cc}'"\\]+/gu) ?? [],
  };
}

function textsOf(...texts: readonly string[]): StoredChunk[] {
  return texts.map((text) => ({ text, headings: [] }));
}

async function textsFound(store: DocumentStore, terms: readonly string[]): Promise<string[]> {
  const found = await store.byTerms(terms, 99);
  return (await store.read(found.map(({ id }) => id))).map(({ text }) => text);
}

/** Returns a vector of length 1 in the direction of (x, y). */
function unit(x: number, y: number): Float32Array {
  const length = Math.hypot(x, y);
  return Float32Array.of(x / length, y / length);
}
