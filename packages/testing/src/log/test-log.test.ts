import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isBridleError } from "@bridle/protocol";
import { expect, test } from "vitest";
import { testRunSchema } from "../result/test-run.ts";
import { temporaryFolder } from "./folder-for-tests.ts";
import { readTestRun } from "./read-test-run.ts";
import { planOf, trialOf } from "./results-for-tests.ts";
import { createTestLog, resumeTestLog } from "./test-log.ts";

const pathOf = (folder: string, id: string) => join(folder, `${id}.jsonl`);
const linesOf = (path: string) => readFileSync(path, "utf8").split("\n").slice(0, -1);

/** Returns milliseconds since the epoch, which advance by one second with each call. */
function clock(start = Date.UTC(2026, 10, 22, 7, 15, 1)) {
  let now = start - 1_000;
  return () => {
    now += 1_000;
    return now;
  };
}

test("a test log writes each event as one line to a private file, in a folder that it creates", () => {
  const folder = join(temporaryFolder(), "test-runs");
  const log = createTestLog({ folder, plan: planOf(), now: clock() });
  log.append({ type: "trial", result: trialOf() });
  const path = pathOf(folder, log.id);

  expect(log.id).toMatch(/^20261122-071501-[0-9a-z]{4}$/);
  expect(linesOf(path).map((line) => JSON.parse(line).type)).toEqual(["begun", "trial"]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  log.close();
});

test("an invocation is running while its log is open, unfinished without an end, and finished after one", () => {
  const folder = temporaryFolder();
  const log = createTestLog({ folder, plan: planOf() });
  log.append({ type: "trial", result: trialOf() });
  expect(readTestRun(folder, log.id)).toMatchObject({ state: "running", endedAt: null });
  log.close();
  expect(readTestRun(folder, log.id)).toMatchObject({ state: "unfinished", endedAt: null });

  const { log: again, run } = resumeTestLog({ folder, which: "newest" });
  expect(run.cases.map(({ outcome }) => outcome)).toEqual(["passed", "not-run"]);
  again.append({ type: "trial", result: trialOf({ case: "hours" }) });
  again.append({ type: "ended", stop: null });
  again.close();
  const read = readTestRun(folder, log.id);
  expect(read).toMatchObject({ state: "finished", stop: null, resumed: 1, summary: { passed: 2 } });
  expect(read).toEqual(again.run());
  expect(testRunSchema.parse(JSON.parse(JSON.stringify(read)))).toEqual(read);
  expect(readdirSync(folder)).toEqual([`${log.id}.jsonl`]);
});

test("the end contains the headline of all earlier events", () => {
  const folder = temporaryFolder();
  const log = createTestLog({ folder, plan: planOf(), now: clock() });
  log.append({ type: "trial", result: trialOf() });
  const stop = { reason: "interrupted" as const, message: "Stopped.", code: null };
  log.append({ type: "ended", stop });
  log.close();
  expect(JSON.parse(linesOf(pathOf(folder, log.id)).at(-1) ?? "")).toMatchObject({
    stop,
    headline: { passed: 1, notRun: 1, passRate: 1, durationMs: 2_000, cost: { usd: 0.01 } },
  });
});

test("pauses between an end and a resumption are not in the duration", () => {
  const folder = temporaryFolder();
  const log = createTestLog({ folder, plan: planOf(), now: clock(0) });
  log.append({ type: "trial", result: trialOf() }); // after 1 s
  log.close();
  const { log: again } = resumeTestLog({ folder, which: log.id, now: clock(1_000_000) });
  again.append({ type: "trial", result: trialOf({ case: "hours" }) }); // after 1 s more
  again.append({ type: "ended", stop: null }); // after 2 s more
  expect(again.run().durationMs).toBe(3_000);
  again.close();
});

test("opening and closing an invocation changes nothing", () => {
  const folder = temporaryFolder();
  const log = createTestLog({ folder, plan: planOf() });
  log.append({ type: "ended", stop: null });
  log.close();
  const before = readFileSync(pathOf(folder, log.id));
  resumeTestLog({ folder, which: "newest" }).log.close();
  expect(readFileSync(pathOf(folder, log.id)).equals(before)).toBe(true);
});

test("an incomplete last line is ignored by readers and removed by a resumption", () => {
  const folder = temporaryFolder();
  const log = createTestLog({ folder, plan: planOf() });
  log.append({ type: "trial", result: trialOf() });
  log.close();
  const path = pathOf(folder, log.id);
  const whole = linesOf(path);
  appendFileSync(path, '{"type":"trial","time":1,"result":{"case":"hours","outc'.padEnd(5_000, "é"));

  expect(readTestRun(folder, log.id).cases.map(({ outcome }) => outcome)).toEqual(["passed", "not-run"]);
  const { log: again } = resumeTestLog({ folder, which: log.id });
  again.append({ type: "trial", result: trialOf({ case: "hours" }) });
  again.close();
  expect(linesOf(path)).toHaveLength(4);
  expect(linesOf(path).slice(0, 2)).toEqual(whole);
  expect(readTestRun(folder, log.id).summary.passed).toBe(2);
});

test("a damaged line is an error with its file and number", () => {
  const folder = temporaryFolder();
  const log = createTestLog({ folder, plan: planOf() });
  log.append({ type: "trial", result: trialOf() });
  log.append({ type: "ended", stop: null });
  log.close();
  const path = pathOf(folder, log.id);
  const [begun, trial, ended] = linesOf(path);
  const read = (...lines: unknown[]) => {
    writeFileSync(path, lines.map((line) => `${line}\n`).join(""));
    return () => readTestRun(folder, log.id);
  };

  expect(read(begun, "{{", ended)).toThrow(`Line 2 of the results in ${path} is damaged: it is not JSON.`);
  expect(read(begun, trial?.replace('"passed"', '"perhaps"'))).toThrow(
    `Line 2 of the results in ${path} is damaged: result.outcome: `,
  );
  expect(read(trial, ended)).toThrow("Line 1 of the results in");
  expect(read(begun, begun)).toThrow("it begins another file");
  expect(read(begun, "")).toThrow("Line 2");
});

test("a file of a later Bridle is refused with a remedy and stays unchanged", () => {
  const folder = temporaryFolder();
  const log = createTestLog({ folder, plan: planOf() });
  log.close();
  const path = pathOf(folder, log.id);
  const later = readFileSync(path, "utf8").replace('"version":1', '"version":2,"new":true');
  writeFileSync(path, later);
  expect(() => readTestRun(folder, log.id)).toThrow("Use a newer version; nothing was changed.");
  expect(() => resumeTestLog({ folder, which: log.id })).toThrow(
    "has format 2, but this version of Bridle supports at most 1",
  );
  expect(readFileSync(path, "utf8")).toBe(later);
});

test("a file without a complete line is no invocation", () => {
  const folder = temporaryFolder();
  mkdirSync(folder, { recursive: true });
  writeFileSync(pathOf(folder, "20261122-071501-aaaa"), '{"type":"begun","ver');
  expect(() => readTestRun(folder, "20261122-071501-aaaa")).toThrow("its process ended before the tests began");
  expect(() => readTestRun(folder, "newest")).toThrow("No tests were run yet");
});

test("an event that could not be read back is refused, and the file stays unchanged", () => {
  const folder = temporaryFolder();
  const log = createTestLog({ folder, plan: planOf() });
  expect(() => log.append({ type: "trial", result: trialOf({ trial: 0.5 }) })).toThrow();
  log.append({ type: "trial", result: trialOf() });
  log.close();
  expect(readTestRun(folder, log.id).summary.passed).toBe(1);
});

test("any text and any arguments of a call are read back unchanged", () => {
  const folder = temporaryFolder();
  const log = createTestLog({ folder, plan: planOf({ cases: ['\u2028 {"__proto__": 1} \ud800 é 😀\n'] }) });
  const result = trialOf({
    case: log.run().plan.cases[0] ?? "",
    turn: {
      transcript: [
        {
          kind: "call",
          callId: "1",
          tool: "t",
          input: { __proto__: null, "a.b": [1e21, "\ud800"] },
          state: "unfinished",
          output: null,
          rule: null,
          step: 1,
          durationMs: null,
        },
      ],
    },
  });
  log.append({ type: "trial", result });
  log.close();
  expect(readTestRun(folder, log.id)).toEqual(log.run());
  expect(log.run().cases[0]?.trials[0]).toEqual(result);
});

test("if the file cannot be created, neither a file nor a lock is left", () => {
  const folder = temporaryFolder();
  const plan = { ...planOf(), trials: 0 };
  expect(() => createTestLog({ folder, plan })).toThrow();
  expect(readdirSync(folder)).toEqual([]);
});

test("a folder that cannot be created is an error", () => {
  const folder = temporaryFolder();
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "file"), "");
  const broken = join(folder, "file", "test-runs");
  expect(() => createTestLog({ folder: broken, plan: planOf() })).toThrow(
    expect.toSatisfy((error) => isBridleError(error) && error.code === "store"),
  );
  expect(existsSync(broken)).toBe(false);
});
