import { join } from "node:path";
import { StoreError } from "@bridle/protocol";
import type { Headline } from "../result/headline.ts";
import type { TestEvent } from "../result/test-event.ts";
import type { TestRunHeadline } from "../result/test-run.ts";
import { readEnds } from "./file-ends.ts";
import { whileReading } from "./file-failures.ts";
import { idsIn } from "./find-test-run.ts";
import { foldTestRun, stateAfter } from "./fold-test-run.ts";
import { headlineOf, toTestRunHeadline } from "./headline-of.ts";
import { runningIn } from "./lock.ts";
import { readBeginning, readEvent } from "./read-events.ts";
import { readLog } from "./read-test-run.ts";

export interface ListTestRunsOptions {
  /** As many as these, the newest. Default: all. */
  last?: number;
  /** Called for a file that cannot be read, or is a later Bridle's; the others are listed. Default: it is thrown. */
  onUnreadable?(error: StoreError): void;
}

/**
 * What was tested in a folder, newest first. Of an invocation that ended two lines are read, however long it is; of one
 * that goes on or was killed, all.
 */
export function listTestRuns(folder: string, options: ListTestRunsOptions = {}): TestRunHeadline[] {
  const { last = Number.POSITIVE_INFINITY, onUnreadable = raise } = options;
  const ids = idsIn(folder);
  if (ids.length === 0) return [];
  const running = whileReading(folder, () => runningIn(folder));
  const listed: TestRunHeadline[] = [];
  for (const id of ids) {
    if (listed.length >= last) break;
    try {
      const headline = readHeadline(join(folder, `${id}.jsonl`), running.has(id));
      if (headline) listed.push(headline);
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      onUnreadable(error);
    }
  }
  return listed;
}

/** Undefined of a file whose process ended before anything was written. */
function readHeadline(path: string, isRunning: boolean): TestRunHeadline | undefined {
  const { first, last } = whileReading(path, () => readEnds(path));
  if (first === undefined || last === undefined) return undefined;
  const { time, id, plan } = readBeginning(first, path);
  const end = endOf(last, path);
  const about = {
    id,
    startedAt: new Date(time).toISOString(),
    endedAt: end ? new Date(end.time).toISOString() : null,
    state: isRunning ? ("running" as const) : stateAfter(end),
    stop: end?.stop ?? null,
    plan,
  };
  return toTestRunHeadline(about, end?.headline ?? headlineFromAll(path));
}

function endOf(line: string, path: string): Extract<TestEvent, { type: "ended" }> | undefined {
  const event = readEvent(line, path);
  return event.type === "ended" ? event : undefined;
}

function headlineFromAll(path: string): Headline {
  return headlineOf(foldTestRun(readLog(path).events));
}

function raise(error: StoreError): never {
  throw error;
}
