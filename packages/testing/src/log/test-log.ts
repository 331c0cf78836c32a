import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { createPrivateFolder } from "@bridle/core";
import { type Stop, type TestEvent, testEventSchema } from "../result/test-event.ts";
import type { TestPlan } from "../result/test-plan.ts";
import type { TestRun } from "../result/test-run.ts";
import type { TrialResult } from "../result/trial-result.ts";
import { whileWriting } from "./file-failures.ts";
import { findLog } from "./find-test-run.ts";
import { foldTestRun } from "./fold-test-run.ts";
import { makeHeadline } from "./headline.ts";
import { type Lock, lock } from "./lock.ts";
import { type LogFile, openLogFile } from "./log-file.ts";
import { readLog } from "./read-test-run.ts";
import { newTestRunId } from "./test-run-id.ts";

/** An event without its time, which the log adds. */
export type TestEventDraft = { type: "trial"; result: TrialResult } | { type: "ended"; stop: Stop | null };

/** The results of a running invocation, in `<folder>/<id>.jsonl`. */
export interface TestLog {
  readonly id: string;
  /**
   * Contract: returns when the event is on disk. If the process is killed, the event is stored completely or not at all. It is stored
   * unchanged, so remove credentials first. Throws a StoreError if the disk is full or read-only; earlier events stay readable, and the
   * event may be appended again.
   */
  append(event: TestEventDraft): void;
  /**
   * Replaces the plan of a resumed invocation, and drops the trials of these cases. Call it before anything is appended. Returns the
   * invocation without these trials.
   */
  replan(plan: TestPlan, again: readonly string[]): TestRun;
  /** Returns the invocation from the events on disk; `unfinished` until its end is appended. */
  run(): TestRun;
  /** Releases the lock. Call it once, even after an error. */
  close(): void;
}

export interface CreateTestLogOptions {
  /** The folder, which is created if missing. See `testRunsFolder`. */
  folder: string;
  plan: TestPlan;
  /** Returns the time in milliseconds since the epoch. */
  now?: () => number;
}

export interface ResumeTestLogOptions {
  folder: string;
  /** An id, the beginning of an id, `newest`, `previous`, or the path of a result file. */
  which: string;
  now?: () => number;
}

/** Creates a result file. If that fails, no file is left. */
export function createTestLog({ folder, plan, now = Date.now }: CreateTestLogOptions): TestLog {
  whileWriting(folder, () => createPrivateFolder(folder));
  const time = now();
  const id = newTestRunId(time);
  const path = join(folder, `${id}.jsonl`);
  return locked(path, id, (held) => {
    const file = openLogFile(path, "wx");
    const events: TestEvent[] = [];
    try {
      write(file, events, { type: "begun", version: 1, time, id, plan });
    } catch (error) {
      file.close();
      rmSync(path, { force: true });
      throw error;
    }
    return createWriter({ id, file, held, events, now });
  });
}

/**
 * Opens the results of an invocation to resume it. Until something is appended, the file does not change, except that an incomplete last
 * line is removed.
 *
 * @throws ConfigError if the invocation does not exist, StoreBusyError if a living process is running it.
 */
export function resumeTestLog({ folder, which, now = Date.now }: ResumeTestLogOptions): { log: TestLog; run: TestRun } {
  const path = findLog(folder, which);
  const { id } = foldTestRun(readLog(path).events);
  return locked(path, id, (held) => {
    const { events, length } = readLog(path); // again, because another process may have written until now
    const file = openLogFile(path, "r+", length);
    const log = createWriter({ id, file, held, events, now, resumedAt: now() });
    return { log, run: log.run() };
  });
}

function locked<T>(path: string, id: string, work: (held: Lock) => T): T {
  const held = whileWriting(path, () => lock(dirname(path), id, path));
  try {
    return work(held);
  } catch (error) {
    held.release();
    throw error;
  }
}

interface Opened extends Required<Pick<CreateTestLogOptions, "now">> {
  readonly id: string;
  readonly file: LogFile;
  readonly held: Lock;
  readonly events: TestEvent[];
  /** The time of the resumption. It is written with the first appended event. */
  readonly resumedAt?: number;
}

function createWriter({ id, file, held, events, now, resumedAt }: Opened): TestLog {
  let hasResumed = resumedAt === undefined;
  return {
    id,
    append(draft) {
      if (resumedAt !== undefined && !hasResumed) write(file, events, { type: "resumed", time: resumedAt });
      hasResumed = true;
      const event = { ...draft, time: now() };
      if (event.type === "trial") return write(file, events, event);
      write(file, events, { ...event, headline: makeHeadline(foldTestRun([...events, event])) });
    },
    replan(plan, again) {
      write(file, events, { type: "resumed", time: resumedAt ?? now(), plan, again: [...again] });
      hasResumed = true;
      return foldTestRun(events);
    },
    run: () => foldTestRun(events),
    close() {
      file.close();
      held.release();
    },
  };
}

/** Checks an event with the schema that readers use, before the event is written. */
function write(file: LogFile, events: TestEvent[], event: TestEvent): void {
  const whole = testEventSchema.parse(JSON.parse(JSON.stringify(event)));
  file.append(whole);
  events.push(whole);
}
