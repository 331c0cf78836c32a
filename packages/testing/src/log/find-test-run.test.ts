import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BridleError, ConfigError, NotFoundError } from "@bridle/protocol";
import { expect, test } from "vitest";
import { findLog, findTestRun } from "./find-test-run.ts";
import { foldTestRun } from "./fold-test-run.ts";
import { temporaryFolder } from "./folder-for-tests.ts";
import { readTestRun } from "./read-test-run.ts";
import { planOf } from "./results-for-tests.ts";
import { createTestLog } from "./test-log.ts";

const day = Date.UTC(2026, 10, 22, 7, 15, 1);

/** Stores invocations of these agents, a millisecond apart, the oldest first. Returns their ids. */
function invocations(folder: string, ...agents: string[]): string[] {
  return agents.map((name, index) => {
    const plan = planOf({ agent: { name, file: `${name}.yaml`, description: null } });
    const log = createTestLog({ folder, plan, now: () => day + index });
    log.close();
    return log.id;
  });
}

test("an id or an unambiguous beginning finds its file", () => {
  const folder = temporaryFolder();
  const [first = "", second = ""] = invocations(folder, "desk", "desk");
  expect(findTestRun(folder, first)).toEqual({ path: join(folder, `${first}.jsonl`), form: "log" });
  expect(findTestRun(folder, second.slice(0, -1)).path).toBe(join(folder, `${second}.jsonl`));
});

test("newest is the newest, even within a second, and previous is the one before it of the same agent", () => {
  const folder = temporaryFolder();
  const ids = invocations(folder, "desk", "other", "desk");
  expect(readTestRun(folder, "newest").id).toBe(ids[2]);
  expect(readTestRun(folder, "previous").id).toBe(ids[0]);
});

test("missing results, or a missing earlier one, are errors", () => {
  const folder = temporaryFolder();
  const nothing = join(folder, "missing");
  expect(() => findTestRun(nothing, "newest")).toThrow(
    `No tests were run yet: ${nothing} has no results. Run bridle test.`,
  );
  expect(() => findTestRun(nothing, "2026")).toThrow("There is none yet: run bridle test.");
  const [other, desk] = invocations(folder, "other", "desk");
  expect(() => findTestRun(folder, "previous")).toThrow(
    `There is no invocation of the tests of desk before ${desk}. There are ${desk}, ${other}. Run bridle test once more, or give an id.`,
  );
});

test("an ambiguous beginning is refused with at most five ids", () => {
  const folder = temporaryFolder();
  const ids = invocations(folder, ..."abcdefg").toReversed();
  expect(() => findTestRun(folder, "2026")).toThrow(
    new ConfigError(
      `"2026" matches several invocations. There are ${ids.slice(0, 5).join(", ")} and 2 more. Give more of the id.`,
    ),
  );
});

test("an unknown id is refused with the existing ids and the nearest", () => {
  const folder = temporaryFolder();
  const [id] = invocations(folder, "desk");
  expect(() => findTestRun(folder, "newst")).toThrow(
    new NotFoundError(`There is no invocation "newst" in ${folder}. Did you mean "newest"? There is ${id}.`),
  );
  expect(() => findTestRun(folder, "")).toThrow(BridleError);
});

test("a path finds a file of another machine, or a report in JSON", () => {
  const folder = temporaryFolder();
  const [id] = invocations(folder, "desk");
  const elsewhere = temporaryFolder();
  mkdirSync(elsewhere, { recursive: true });
  const run = readTestRun(folder, "newest");
  const report = join(elsewhere, "report.json");
  writeFileSync(report, JSON.stringify(run));
  expect(readTestRun(elsewhere, report)).toEqual(run);
  expect(readTestRun(elsewhere, join(folder, `${id}.jsonl`))).toEqual(run);
  expect(() => findLog(folder, report)).toThrow("is a report, and reports cannot be resumed");
  expect(() => readTestRun(folder, "./none.json")).toThrow(
    new NotFoundError(
      "There are no results in ./none.json. Give a file that bridle test wrote, or the id of an invocation.",
    ),
  );
});

test("a file that is no report is refused with the reason", () => {
  const path = join(temporaryFolder(), "other.json");
  writeFileSync(path, "[");
  expect(() => readTestRun("", path)).toThrow(`${path} is not a test report of this Bridle: it is not JSON.`);
  const run = foldTestRun([{ type: "begun", version: 1, time: 0, id: "x", plan: planOf() }]);
  writeFileSync(path, JSON.stringify({ ...run, state: "done" }));
  expect(() => readTestRun("", path)).toThrow("is not a test report of this Bridle: state: ");
});
