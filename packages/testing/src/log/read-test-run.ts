import { dirname } from "node:path";
import { readRegularFileSync, refuseLinks } from "@bridle/core";
import { StoreError } from "@bridle/protocol";
import { type TestRun, testRunSchema } from "../result/test-run.ts";
import { maxLogBytes } from "./file-ends.ts";
import { whileReading } from "./file-failures.ts";
import { findTestRun } from "./find-test-run.ts";
import { foldTestRun } from "./fold-test-run.ts";
import { runningIn } from "./lock.ts";
import { type ReadEvents, readEvents } from "./read-events.ts";

/**
 * Reads an invocation, even a running one. `which` is an id, the beginning of an id, `newest`, `previous` (the one before the newest of the
 * same agent), or the path of its file or of a JSON report, for example from another machine.
 *
 * @throws ConfigError if it does not exist, StoreError if its file is unreadable or damaged.
 * @example readTestRun(testRunsFolder(settings), "newest").summary.passRate
 */
export function readTestRun(folder: string, which: string): TestRun {
  const { path, form } = findTestRun(folder, which);
  if (form === "report") return readReport(path);
  const running = whileReading(path, () => runningIn(dirname(path))); // first, because the invocation may end while its events are read
  const run = foldTestRun(readLog(path).events);
  return running.has(run.id) ? { ...run, state: "running" } : run;
}

/** Reads the events in a file. The file contains at least the first event. */
export function readLog(path: string): ReadEvents {
  refuseLinks(path);
  const read = readEvents(
    whileReading(path, () => readRegularFileSync(path, maxLogBytes)),
    path,
  );
  if (read.events.length > 0) return read;
  throw new StoreError(`${path} is empty: its process ended before the tests began. Run bridle test.`, path);
}

function readReport(path: string): TestRun {
  const text = whileReading(path, () => readRegularFileSync(path, maxLogBytes).toString("utf8"));
  const value = parsed(text, path);
  const run = testRunSchema.safeParse(value);
  if (run.success) return run.data;
  const [issue] = run.error.issues;
  throw notAReport(path, `${issue?.path.join(".") || "it"}: ${issue?.message}`, { cause: run.error });
}

function parsed(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw notAReport(path, "it is not JSON", { cause });
  }
}

function notAReport(path: string, reason: string, options: ErrorOptions): StoreError {
  const message = `${path} is not a test report of this Bridle: ${reason}. Make one with bridle test --report json.`;
  return new StoreError(message, path, { ...options, code: "store_corrupt" });
}
