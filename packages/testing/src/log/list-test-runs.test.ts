import { closeSync, openSync, readFileSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { StoreError } from "@bridle/protocol";
import { expect, test } from "vitest";
import { testRunHeadlineSchema } from "../result/test-run.ts";
import { temporaryFolder } from "./folder-for-tests.ts";
import { makeHeadline, toTestRunHeadline } from "./headline.ts";
import { listTestRuns } from "./list-test-runs.ts";
import { readTestRun } from "./read-test-run.ts";
import { planOf, trialOf } from "./results-for-tests.ts";
import { createTestLog, type TestEventDraft } from "./test-log.ts";

const day = Date.UTC(2026, 10, 22, 7, 15, 1);
const passed: TestEventDraft = { type: "trial", result: trialOf() };
const failed: TestEventDraft = { type: "trial", result: trialOf({ case: "hours", outcome: "failed" }) };
const end: TestEventDraft = { type: "ended", stop: null };

/** Writes an invocation that began this many seconds after midnight, with these events. Returns the invocation's id. */
function invocation(folder: string, second: number, ...events: TestEventDraft[]): string {
  const log = createTestLog({ folder, plan: planOf(), now: () => day + second * 1_000 });
  for (const event of events) log.append(event);
  log.close();
  return log.id;
}

test("the list is newest first, and each entry equals that from all of its events", () => {
  const folder = temporaryFolder();
  const stop = { reason: "interrupted" as const, message: "Stopped.", code: null };
  const ids = [
    invocation(folder, 0, passed, failed, end),
    invocation(folder, 1, passed), // killed
    invocation(folder, 2, passed, { type: "ended", stop }),
    invocation(folder, 3),
  ].toReversed();
  const listed = listTestRuns(folder);
  expect(listed.map(({ id }) => id)).toEqual(ids);
  expect(listed.map(({ state, passed: count, notRun }) => [state, count, notRun])).toEqual([
    ["unfinished", 0, 2],
    ["unfinished", 1, 1],
    ["unfinished", 1, 1],
    ["finished", 1, 0],
  ]);
  const whole = ids.map((id) => readTestRun(folder, id)).map((run) => toTestRunHeadline(run, makeHeadline(run)));
  expect(listed).toEqual(whole);
  expect(listed.map((one) => testRunHeadlineSchema.parse(JSON.parse(JSON.stringify(one))))).toEqual(listed);
});

test("the list has as many entries as requested, and none without results", () => {
  const folder = temporaryFolder();
  expect(listTestRuns(join(folder, "missing"))).toEqual([]);
  const ids = [0, 1, 2].map((second) => invocation(folder, second, end));
  expect(listTestRuns(folder, { last: 2 }).map(({ id }) => id)).toEqual([ids[2], ids[1]]);
});

test("an end before a killed resumption does not count", () => {
  const folder = temporaryFolder();
  const id = invocation(folder, 0, passed, end);
  const path = join(folder, `${id}.jsonl`);
  writeFileSync(path, '{"type":"resumed","time":1}\n{"type":"tri', { flag: "a" });
  expect(listTestRuns(folder)).toMatchObject([{ id, state: "unfinished", endedAt: null, passed: 1 }]);
});

test("an unreadable file is reported, and the others are listed", () => {
  const folder = temporaryFolder();
  const [first = "", second = "", third = "", fourth = ""] = [0, 1, 2, 3].map((n) => invocation(folder, n, end));
  const path = (id: string) => join(folder, `${id}.jsonl`);
  writeFileSync(path(first), "damaged\n");
  writeFileSync(path(second), readFileSync(path(second), "utf8").replace('"version":1', '"version":9'));
  writeFileSync(path(third), "not even a li");
  const told: StoreError[] = [];
  const listed = listTestRuns(folder, { onUnreadable: (error) => told.push(error) });
  expect(listed.map(({ id }) => id)).toEqual([fourth]);
  expect(told.map(({ code, path: where }) => [code, where])).toEqual([
    ["store_version", path(second)],
    ["store_corrupt", path(first)],
  ]);
  expect(() => listTestRuns(folder)).toThrow("Use a newer version");
});

test("hundreds of long files are listed quickly, because only their first and last lines are read", () => {
  const folder = temporaryFolder();
  const id = invocation(folder, 0, passed, end);
  const [begun = "", , ended = ""] = readFileSync(join(folder, `${id}.jsonl`), "utf8").split("\n");
  for (let index = 0; index < 500; index++) {
    const other = id.replace(/.{4}$/, index.toString(36).padStart(4, "0"));
    const file = openSync(join(folder, `${other}.jsonl`), "w");
    writeSync(file, `${begun.replace(id, other)}\n`);
    writeSync(file, `\n${ended}\n`, 10_000_000); // null bytes, which reading would report as damage
    closeSync(file);
  }
  const start = performance.now();
  expect(listTestRuns(folder).length).toBeGreaterThanOrEqual(500);
  expect(performance.now() - start).toBeLessThan(5_000);
});

test("lines that are longer than a block are read completely", () => {
  const folder = temporaryFolder();
  const cases = Array.from({ length: 3_000 }, (_, index) => `case ${index} with a name in Greek: ${"λ".repeat(40)}`);
  const log = createTestLog({ folder, plan: planOf({ cases }) });
  log.append({ type: "trial", result: trialOf({ case: cases[0] ?? "", turn: { answer: "é".repeat(300_000) } }) });
  log.append(end);
  log.close();
  const [listed] = listTestRuns(folder);
  expect(listed?.cases).toHaveLength(3_000);
  expect(listed?.cases.at(-1)).toEqual({ name: cases.at(-1), outcome: "not-run", flaky: false });
});
