import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type DocumentStore, openDocuments, openPostgresStore, openSqliteStore } from "../src/index.ts";
import { testDocumentStore } from "./document-store-laws.ts";
import { createConceptEmbedder } from "./labelled/concept-embedder.ts";
import { passages, queries } from "./labelled/passages.ts";
import { type PostgresForTests, startPostgres } from "./postgres-for-tests.ts";

let postgres: PostgresForTests;
let opened: DocumentStore[] = [];
let tests = 0;

beforeAll(async () => {
  postgres = await startPostgres({ vectors: true });
});

afterEach(async () => {
  await Promise.all(opened.map((store) => store.close()));
  opened = [];
  tests += 1;
});

afterAll(() => postgres.close());

async function open(name: string, { connectionString } = postgres): Promise<DocumentStore> {
  const store = await openPostgresStore({ connectionString, name: `${name} of test ${tests}` });
  opened.push(store);
  return store;
}

const chunk = { text: "apple", headings: [] };
const fileOf = (vector?: Float32Array) => ({
  name: "a.md",
  hash: "",
  chunks: [vector ? { ...chunk, vector } : chunk],
  ...(vector && { space: { model: "m", dimensions: vector.length } }),
  termsOf: () => ["apple"],
});

testDocumentStore("an index in PostgreSQL with pgvector", { open: (name) => open(name) });

describe("an index in PostgreSQL", () => {
  test("ranks real sentences like an index in SQLite, by words and by meaning", async () => {
    const folder = mkdtempSync(join(tmpdir(), "bridle-postgres-"));
    mkdirSync(join(folder, "docs"));
    for (const [id, text] of Object.entries(passages)) writeFileSync(join(folder, "docs", `${id}.txt`), text);
    const [one, two] = [openSqliteStore(join(folder, "index.db")), await open("ranking")].map((store) =>
      openDocuments({
        sources: ["docs"],
        baseDir: folder,
        store,
        searchMode: "hybrid",
        embedder: createConceptEmbedder(),
      }),
    );
    await Promise.all([one?.update(), two?.update()]);
    for (const mode of ["keyword", "semantic"] as const) {
      for (const { query } of queries) {
        const scoresOf = async (documents = one) =>
          new Map((await documents?.search(query, { mode, topK: 60 }))?.map(({ file, score }) => [file, score]));
        const [ours, theirs] = [await scoresOf(one), await scoresOf(two)];
        expect([...theirs.keys()].toSorted()).toEqual([...ours.keys()].toSorted());
        for (const [file, score] of ours) expect(theirs.get(file)).toBeCloseTo(score, mode === "keyword" ? 9 : 5);
      }
    }
    await one?.close();
    rmSync(folder, { recursive: true });
  });

  test("reports that its server is gone, and works again when the server is back", async () => {
    const store = await open("a");
    await store.replace(fileOf());
    await postgres.stop();
    await expect(store.files()).rejects.toThrow(
      /^The index a of test \d+ in PostgreSQL \(127\.0\.0\.1:\d+\/postgres\) cannot be used: .+\. Check that the server is running and can be reached, and try again\.$/,
    );
    await postgres.start();
    expect(await store.files()).toHaveLength(1);
  });

  test("names an unreachable server without its password", async () => {
    const nowhere = "postgresql://me:hunter2@127.0.0.1:1/shop";
    const error = await openPostgresStore({ connectionString: nowhere, name: "a" }).catch(String);
    expect(error).toMatch(/\(127\.0\.0\.1:1\/shop\) cannot be used: .*ECONNREFUSED.*Check that the server is running/);
    expect(error).not.toContain("hunter2");
  });

  test("of a newer Bridle is refused", async () => {
    await openPostgresStore({ connectionString: postgres.connectionString, name: "newer" }).then((store) =>
      store.close(),
    );
    await postgres.send("UPDATE bridle_newer.format SET version = 99");
    await expect(openPostgresStore({ connectionString: postgres.connectionString, name: "newer" })).rejects.toThrow(
      'A newer Bridle made the index in the schema "bridle_newer". Update Bridle, or drop the schema and build the index again.',
    );
  });

  test("finds the extension in any schema", async () => {
    await postgres.send("CREATE SCHEMA IF NOT EXISTS elsewhere; DROP EXTENSION IF EXISTS vector CASCADE");
    await postgres.send("CREATE EXTENSION vector SCHEMA elsewhere");
    const store = await open("a");
    await store.replace(fileOf(Float32Array.of(1, 0)));
    expect(await store.byVector(Float32Array.of(1, 0), 1)).toMatchObject([{ score: 1 }]);
  });
});

describe("PostgreSQL without pgvector", () => {
  let plain: PostgresForTests;
  beforeAll(async () => {
    plain = await startPostgres({ vectors: false });
  });
  afterAll(() => plain.close());

  test("serves a search by words, and refuses vectors with a remedy", async () => {
    const store = await open("a", plain);
    await store.replace(fileOf());
    expect(await store.byTerms(["apple"], 9)).toHaveLength(1);
    expect(await store.chunksOf("a.md")).toEqual([chunk]);
    expect([await store.vectorSpace(), await store.byVector(Float32Array.of(1), 9)]).toEqual([undefined, []]);
    await expect(store.replace(fileOf(Float32Array.of(1)))).rejects.toThrow(
      "Vectors need the extension pgvector, which is not installed on the server. Install pgvector there, or set search_mode: keyword.",
    );
    expect(await store.chunksOf("a.md")).toEqual([chunk]);
  });
});
