import { type EventLog, type RunEvent, type RunSummary, runResultSchema } from "@bridle/protocol";
import { z } from "zod";
import { readRunStart } from "../events/run-start.ts";
import { runRowSchema, sessionViewSchema } from "./session-schemas.ts";
import { viewSession } from "./view-session.ts";

const seq = z.int().nonnegative();

/** A session without its conversation. */
export const sessionDetailSchema = sessionViewSchema.omit({ entries: true }).extend({
  /** The number of the newest event. */
  lastSeq: seq,
  /** The id of the run in progress, in this or another process. */
  activeRun: z.string().nullable(),
});
export type SessionDetail = z.output<typeof sessionDetailSchema>;

/** Describes an existing session. */
export async function describeSessionDetail(eventLog: EventLog, id: string): Promise<SessionDetail> {
  const { entries: _entries, ...view } = await viewSession(eventLog, id);
  const [[newest], [newestRun]] = await Promise.all([
    eventLog.read({ sessionId: id, last: 1 }),
    eventLog.runs({ sessionId: id, last: 1 }),
  ]);
  const activeRun = newestRun && !newestRun.ended ? newestRun.runId : null;
  return { ...view, lastSeq: newest?.seq ?? 0, activeRun };
}

/** A run with the numbers of its events in the log, and its result once it has ended. */
export const runDetailSchema = runRowSchema.extend({
  session: z.string().nullable(),
  ended: z.boolean(),
  rehearsed: z.boolean(),
  labels: z.record(z.string(), z.string()),
  tools: z.array(z.string()).readonly(),
  firstSeq: seq,
  lastSeq: seq,
  durationMs: z.number().nullable(),
  result: runResultSchema.nullable(),
});
export type RunDetail = z.output<typeof runDetailSchema>;

/** Describes an existing run. */
export async function describeRunDetail(
  eventLog: Pick<EventLog, "read">,
  { runId: id }: Pick<RunSummary, "runId">,
): Promise<RunDetail> {
  const [started, [first], [newest]] = await Promise.all([
    readRunStart(eventLog, { runId: id }),
    eventLog.read({ runId: id, limit: 1 }),
    eventLog.read({ runId: id, last: 1 }),
  ]);
  const end = newest?.type === "run.finished" ? newest : undefined;
  return {
    id,
    session: first?.sessionId ?? null,
    startedAt: formatTime(first),
    backend: started?.backend ?? null,
    model: started?.model ?? null,
    labels: started?.labels ?? {},
    rehearsed: started?.rehearsed ?? false,
    tools: started?.tools ?? [],
    firstSeq: first?.seq ?? 0,
    lastSeq: newest?.seq ?? 0,
    ended: end !== undefined,
    stopReason: end?.result.stopReason ?? null,
    error: end?.result.error?.message ?? null,
    durationMs: end?.durationMs ?? null,
    result: end === undefined ? null : runResultSchema.parse(end.result),
  };
}

function formatTime(event: RunEvent | undefined): string {
  return new Date(event?.time ?? 0).toISOString();
}
