import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import type { StagedItem } from "../sources/source.ts";
import { type IngestStore, ingestFile, openIngestStore } from "./ingest-store.ts";
import { IngestRunningError, IngestStoreError } from "./store-errors.ts";

let stateDir = "";
beforeEach(() => {
  stateDir = join(mkdtempSync(join(tmpdir(), "bridle-store-")), ".bridle");
  onTestFinished(() => rmSync(join(stateDir, ".."), { recursive: true, force: true }));
});

function open(): IngestStore {
  const store = openIngestStore({ stateDir });
  onTestFinished(() => store.close());
  return store;
}

const use = { usage: { inputTokens: 100, outputTokens: 10, cacheReadTokens: 0, cacheWriteTokens: 0 }, costUsd: 0.003 };
const now = new Date("2026-05-01T00:00:00Z");
const item = (id: string, version = "v1"): StagedItem => ({
  source: "wiki",
  id,
  title: id,
  kind: "page",
  authority: "document",
  version,
  chars: 3,
});
const answersOf = (store: IngestStore) => store.answers(1, () => "model-x");

test("answers are stored with what they cost, and read by their keys, also by another process", () => {
  const answers = answersOf(open());
  expect(answers.read("k1")).toBeUndefined();
  answers.write(
    [
      { key: "k1", role: "triage", stage: "triage", value: { decision: "skip" } },
      { key: "k2", role: "triage", stage: "triage", value: [] },
    ],
    use,
  );
  const other = open();
  expect([answersOf(other).read("k1"), answersOf(other).read("k2")]).toEqual([{ decision: "skip" }, []]);
  const { input = 0, output = 0 } = other.costPerToken("model-x") ?? {};
  expect(input * 100 + output * 10).toBeCloseTo(0.003, 9);
  expect(other.costPerToken("model-y")).toBeUndefined();
});

test("an attempt is no answer, and an answer replaces it", () => {
  const answers = answersOf(open());
  const attempt = { key: "u1", role: "default", stage: "unit", value: ["half"] } as const;
  answers.writeAttempt([attempt], use);
  expect([answers.read("u1"), answers.readAttempt("u1")]).toEqual([undefined, ["half"]]);
  answers.write([{ ...attempt, value: ["whole"] }], use);
  expect([answers.read("u1"), answers.readAttempt("u1")]).toEqual([["whole"], undefined]);
});

test("items are listed in pages while they are changed", () => {
  const store = open();
  store.together(() => {
    for (let index = 0; index < 450; index++) store.items.stage(item(String(index).padStart(4, "0")), 1, []);
  });
  store.items.stage({ ...item("x"), source: "zoo" }, 1, []);
  const seen: string[] = [];
  for (const { item: each } of store.items.list("wiki")) {
    seen.push(each.id);
    store.items.setBuilt(each, ["k"]);
  }
  expect([seen.length, seen[0], seen.at(-1), store.items.count(), store.items.count("wiki")]).toEqual([
    450,
    "0000",
    "0449",
    451,
    450,
  ]);
  expect(store.items.read("wiki", "0449")).toMatchObject({ built: "v1", keys: ["k"] });
});

test("a forgotten version is in no file any more, and neither are answers about it", () => {
  const store = open();
  const answers = answersOf(store);
  store.texts.write("v1", "The fare of Ida is 7.");
  store.texts.write("v2", "Fares are in euro.");
  for (const version of ["v1", "v2"]) store.writeVersion(version, { textHash: "h", detector: 1, marks: [] });
  store.items.stage(item("a"), 1, []);
  store.items.stage(item("b", "v2"), 1, []);
  answers.write([{ key: "k1", role: "extract", stage: "light", value: "Ida pays 7.", versions: ["v1"] }], use);
  answers.write([{ key: "k2", role: "extract", stage: "light", value: "In euro.", versions: ["v2"] }], use);
  store.sources.remove("wiki");
  store.items.stage(item("b", "v2"), 2, []);
  store.forget(["v1", "v2"]);
  expect([answers.read("k1"), answers.read("k2"), store.texts.read("v1"), store.texts.read("v2")]).toEqual([
    undefined,
    "In euro.",
    undefined,
    "Fares are in euro.",
  ]);
  const file = ingestFile({ stateDir });
  const bytes = ["", "-wal"].map((end) =>
    statSync(file + end, { throwIfNoEntry: false }) ? readFileSync(file + end) : "",
  );
  expect(bytes.join("")).not.toContain("Ida pays 7.");
});

describe("one ingest at a time", () => {
  test("a second run is refused with the process of the first", () => {
    const store = open();
    store.runs.begin(now);
    expect(() => open().runs.begin(now)).toThrow(IngestRunningError);
    expect(() => open().runs.begin(now)).toThrow(
      "Another ingest is in progress: this process began it at 2026-05-01T00:00:00.000Z. Wait until it has ended, or stop it.",
    );
  });

  test("a run whose process is gone is over", () => {
    const store = open();
    const run = store.runs.begin(now);
    using database = new DatabaseSync(ingestFile({ stateDir }));
    database.prepare("UPDATE runs SET pid = 999999, start_time = '1'").run();
    expect(store.runs.last()).toMatchObject({ id: run, state: "died" });
    const next = store.runs.begin(now);
    store.runs.report(next, '{"done":1}');
    expect(open().runs.last()).toMatchObject({ id: next, state: "running", progress: '{"done":1}' });
    store.runs.end(next, now, "{}");
    expect(open().runs.last()).toMatchObject({ state: "ended", outcome: "{}" });
  });
});

describe("a file that cannot be used is one sentence with a remedy", () => {
  const file = () => ingestFile({ stateDir });
  const messageOf = (work: () => unknown) => {
    try {
      work();
    } catch (error) {
      expect(error).toBeInstanceOf(IngestStoreError);
      return error instanceof Error ? error.message : "";
    }
    throw new Error("expected an error");
  };

  test("a file that is no database", () => {
    mkdirSync(join(stateDir, "context"), { recursive: true });
    writeFileSync(file(), "These are my notes. ".repeat(500));
    expect(messageOf(open)).toBe(`What ingest has stored in ${file()} is damaged. Remove the file, and ingest again.`);
    expect(readFileSync(file(), "utf8")).toContain("These are my notes.");
  });

  test("damaged pages, found while it is read", () => {
    const store = open();
    store.together(() => {
      for (let index = 0; index < 3000; index++) store.items.stage(item(`page-${index}`), 1, []);
    });
    store.close();
    const bytes = readFileSync(file());
    bytes.fill(7, 4096 * 20, 4096 * 60);
    writeFileSync(file(), bytes);
    expect(messageOf(() => [...open().items.list()])).toBe(
      `What ingest has stored in ${file()} is damaged. Remove the file, and ingest again.`,
    );
  });

  test("a column with something else", () => {
    open().items.stage(item("a"), 1, []);
    using database = new DatabaseSync(file());
    database.prepare("UPDATE items SET item = '{'").run();
    expect(messageOf(() => [...open().items.list()])).toContain("is damaged. Remove the file");
  });

  test("tables of somebody else, and a later format", () => {
    open().close();
    const database = new DatabaseSync(file());
    database.exec("CREATE TRIGGER t AFTER INSERT ON items BEGIN DELETE FROM answers; END");
    expect(messageOf(open)).toContain("has tables or triggers that are not Bridle's, so it is not used.");
    database.exec("DROP TRIGGER t; PRAGMA user_version = 9");
    database.close();
    expect(messageOf(open)).toContain("A newer Bridle wrote");
  });

  test("a link in place of the file", () => {
    mkdirSync(join(stateDir, "context"), { recursive: true });
    writeFileSync(join(stateDir, "..", "other"), "");
    symlinkSync(join(stateDir, "..", "other"), file());
    expect(() => open()).toThrow("is a link, and links in the folder .bridle are not followed");
  });

  test("a file that others could read becomes private", () => {
    open().close();
    chmodSync(file(), 0o644);
    open().texts.write("abc", "text");
    expect([statSync(file()).mode & 0o777, statSync(join(stateDir, "context/raw/ab/abc.txt")).mode & 0o777]).toEqual([
      0o600, 0o600,
    ]);
  });
});
