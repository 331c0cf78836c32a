import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../src/log/folder-for-tests.ts";
import { listTestRuns } from "../src/log/list-test-runs.ts";
import { readTestRun } from "../src/log/read-test-run.ts";
import { planOf, trialOf } from "../src/log/results-for-tests.ts";
import { createTestLog, resumeTestLog } from "../src/log/test-log.ts";

const program = join(import.meta.dirname, "log-writer.ts");
const parameters = (...more: string[]) => ["--conditions=@bridle/source", "--no-warnings", program, ...more];

interface Writer {
  readonly child: ChildProcess;
  /** The printed lines so far. */
  readonly lines: string[];
  /** Waits until that many lines are printed. */
  has(count: number): Promise<void>;
  /** Kills the process, and waits for its exit and the rest of its output. */
  kill(): Promise<void>;
}

function start(...args: string[]): Writer {
  const child = spawn(process.execPath, parameters(...args), { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines: string[] = [];
  const closed = once(child, "close");
  createInterface(child.stdout).on("line", (line) => lines.push(line));
  return {
    child,
    lines,
    has: (count) => expect.poll(() => lines.length, { timeout: 60_000 }).toBeGreaterThanOrEqual(count),
    async kill() {
      child.kill("SIGKILL");
      await closed;
    },
  };
}

test("a killed writer leaves every reported event, and another process resumes after them", async () => {
  for (const acknowledged of [1, 9, 30]) {
    const folder = temporaryFolder();
    const writer = start("endless", folder);
    await writer.has(1 + acknowledged);
    await writer.kill();
    const [id = "", ...told] = writer.lines;

    const run = readTestRun(folder, id);
    expect(run.state).toBe("unfinished");
    const kept = run.cases[0]?.trials.length ?? 0;
    expect([told.length, told.length + 1]).toContain(kept); // the last event may be on disk but not printed yet

    const { log } = resumeTestLog({ folder, which: id });
    log.append({ type: "trial", result: trialOf({ trial: kept + 1 }) });
    log.append({ type: "ended", stop: null });
    log.close();
    expect(readTestRun(folder, id)).toMatchObject({ state: "finished", resumed: 1 });
    expect(readTestRun(folder, id).cases[0]?.trials).toHaveLength(kept + 1);
    expect(globSync("*.lock", { cwd: folder })).toEqual([]);
  }
});

test("an invocation of a living process cannot be resumed until that process is killed", async () => {
  const folder = temporaryFolder();
  createTestLog({ folder, plan: planOf() }).close();
  const first = start("resume", folder);
  await first.has(1);
  const [id = ""] = first.lines;

  expect(readTestRun(folder, id).state).toBe("running");
  expect(listTestRuns(folder)).toMatchObject([{ id, state: "running" }]);
  expect(() => resumeTestLog({ folder, which: id })).toThrow(`Process ${first.child.pid} is running the tests of `);
  const second = start("resume", folder);
  await once(second.child, "close");
  expect(second.lines).toEqual(["store_busy"]);

  await first.kill();
  expect(readTestRun(folder, id).state).toBe("unfinished");
  resumeTestLog({ folder, which: id }).log.close();
});

test("of many concurrent processes never two have the same invocation", async () => {
  const folder = temporaryFolder();
  createTestLog({ folder, plan: planOf() }).close();
  const writers = Array.from({ length: 5 }, () => start("resume", folder));
  await Promise.all(writers.map((writer) => writer.has(1)));
  const refused = writers.filter(({ lines }) => lines[0] === "store_busy");
  expect(refused.length).toBeGreaterThanOrEqual(4);
});

test("a full disk is an error; written events stay, and the log continues when there is space", () => {
  const folder = temporaryFolder();
  // A limit of the system on the size of files: a write is cut off at the limit, and the next write is refused.
  const command = `ulimit -f 200; exec "$0" "$@"`;
  const { stdout } = spawnSync("sh", ["-c", command, process.execPath, ...parameters("until-full", folder)], {
    encoding: "utf8",
  });
  const [id = "", ...rest] = stdout.trimEnd().split("\n");
  const codes = rest.filter((line) => /\D/.test(line));
  const told = rest.length - codes.length;
  expect(codes[0]).toBe("store_full");
  expect(told).toBeGreaterThan(2);

  const run = readTestRun(folder, id);
  expect(run.cases[0]?.trials).toHaveLength(told);
  const path = join(folder, `${id}.jsonl`);
  expect(readFileSync(path).at(-1)).toBe(0x0a); // no part of the event that did not fit
  expect(statSync(path).size).toBeLessThan(200 * 512);
  const { log } = resumeTestLog({ folder, which: id });
  log.append({ type: "trial", result: trialOf({ trial: told + 1 }) });
  log.close();
  expect(readTestRun(folder, id).cases[0]?.trials).toHaveLength(told + 1);
});

/** The user for the process if the tests run as root, because root may write everywhere. */
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
/** Whether that user can read this checkout. False if only root may read it. */
const canBeNobody = spawnSync(process.execPath, ["-e", "fs.accessSync(process.argv[1])", program], nobody).status === 0;

test.runIf(canBeNobody)("a folder that cannot be written is an error that says so", () => {
  const folder = temporaryFolder();
  chmodSync(folder, 0o555);
  const { stdout } = spawnSync(process.execPath, parameters("begin", folder), { ...nobody, encoding: "utf8" });
  expect(stdout).toBe("store_read_only\n");
});
