import { mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Stop, type TestEvent, testEventSchema } from "../result/test-event.ts";
import type { TestPlan } from "../result/test-plan.ts";
import type { TestRun } from "../result/test-run.ts";
import type { TrialResult } from "../result/trial-result.ts";
import { whileWriting } from "./file-failures.ts";
import { findLog } from "./find-test-run.ts";
import { foldTestRun } from "./fold-test-run.ts";
import { headlineOf } from "./headline-of.ts";
import { type Lock, lock } from "./lock.ts";
import { type LogFile, openLogFile } from "./log-file.ts";
import { readLog } from "./read-test-run.ts";
import { newTestRunId } from "./test-run-id.ts";

/** What is told to a log; it adds the time. */
export type TestEventDraft = { type: "trial"; result: TrialResult } | { type: "ended"; stop: Stop | null };

/** The results of an invocation that is running, in `<folder>/<id>.jsonl`. */
export interface TestLog {
  readonly id: string;
  /**
   * Contract: returns when the event is on disk; a process that is killed leaves it whole or not at all. It is kept as it
   * is given: credentials are taken out before. Throws a StoreError where the disk is full or read-only; what was written
   * stays readable, and the event may be appended again.
   */
  append(event: TestEventDraft): void;
  /** The invocation as it stands, of what was written and nothing else; `unfinished` until its end was appended. */
  run(): TestRun;
  /** Lets others go on with it. To be called once, whatever happened. */
  close(): void;
}

export interface CreateTestLogOptions {
  /** See `testRunsFolder`; it is made where it is missing. */
  folder: string;
  plan: TestPlan;
  /** In milliseconds since the epoch. */
  now?: () => number;
}

export interface ResumeTestLogOptions {
  folder: string;
  /** An id, the beginning of one, `newest`, `previous`, or the path of a file of results. */
  which: string;
  now?: () => number;
}

/** Begins a file of results. Where that fails, none is left. */
export function createTestLog({ folder, plan, now = Date.now }: CreateTestLogOptions): TestLog {
  whileWriting(folder, () => mkdirSync(folder, { recursive: true, mode: 0o700 }));
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
 * Opens the results of an invocation to go on with it; `run` is what there is. Until something is appended, nothing of it
 * is changed, but that a line which was not written to its end is cut off.
 *
 * @throws ConfigError where there is no such invocation, StoreBusyError where a living process is at work on it.
 */
export function resumeTestLog({ folder, which, now = Date.now }: ResumeTestLogOptions): { log: TestLog; run: TestRun } {
  const path = findLog(folder, which);
  const { id } = foldTestRun(readLog(path).events);
  return locked(path, id, (held) => {
    const { events, length } = readLog(path); // anew: whoever had it may have written until now
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
  /** When it was opened to go on: written with what is appended first. */
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
      write(file, events, { ...event, headline: headlineOf(foldTestRun([...events, event])) });
    },
    run: () => foldTestRun(events),
    close() {
      file.close();
      held.release();
    },
  };
}

/** As it will be read: what could not be is refused here, where it was made, and leaves the file as it was. */
function write(file: LogFile, events: TestEvent[], event: TestEvent): void {
  const whole = testEventSchema.parse(JSON.parse(JSON.stringify(event)));
  file.append(whole);
  events.push(whole);
}
