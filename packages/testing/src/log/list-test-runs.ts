import { join } from "node:path";
import { given, optionsCheck, StoreError } from "@bridle/protocol";
import type { Headline } from "../result/headline.ts";
import type { TestEvent } from "../result/test-event.ts";
import type { TestRunHeadline } from "../result/test-run.ts";
import { readEnds } from "./file-ends.ts";
import { whileReading } from "./file-failures.ts";
import { idsIn } from "./find-test-run.ts";
import { foldTestRun, stateAfter } from "./fold-test-run.ts";
import { makeHeadline, toTestRunHeadline } from "./headline.ts";
import { runningIn } from "./lock.ts";
import { readBeginning, readEvent } from "./read-events.ts";
import { readLog } from "./read-test-run.ts";

export interface ListTestRunsOptions {
  /** The maximum number of invocations, the newest first. Default: all. */
  last?: number;
  /** The id of an invocation. Only earlier ones are listed. Default: all. */
  before?: string | undefined;
  /** Called for a file that cannot be read or that a later version of Bridle wrote; the others are listed. Default: the error is thrown. */
  onUnreadable?(error: StoreError): void;
}

const checkOptions = optionsCheck<ListTestRunsOptions>("listTestRuns", {
  last: given.number.optional(),
  before: given.text.optional(),
  onUnreadable: given.callback.optional(),
});

/**
 * Lists the invocations of a folder, the newest first. Reads two lines of each invocation that ended, and all lines of one that is running
 * or was killed.
 */
export function listTestRuns(folder: string, options: ListTestRunsOptions = {}): TestRunHeadline[] {
  checkOptions(options);
  const { last = Number.POSITIVE_INFINITY, before, onUnreadable = raise } = options;
  const ids = idsIn(folder).filter((id) => before === undefined || id < before);
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

/** Reads an invocation. `undefined` if the process ended before it wrote anything. */
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
  return makeHeadline(foldTestRun(readLog(path).events));
}

function raise(error: StoreError): never {
  throw error;
}
