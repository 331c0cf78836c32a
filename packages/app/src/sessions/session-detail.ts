import { type EventLog, type RunEvent, type RunSummary, runResultSchema } from "@bridle/protocol";
import { z } from "zod";
import { runRowSchema, sessionViewSchema } from "./session-schemas.ts";
import { viewSession } from "./view-session.ts";

const seq = z.int().nonnegative();

/** A session without its conversation. */
export const sessionDetailSchema = sessionViewSchema.omit({ entries: true }).extend({
  /** The newest event. */
  lastSeq: seq,
  /** The id of the run in progress, here or in another process. */
  activeRun: z.string().nullable(),
});
export type SessionDetail = z.output<typeof sessionDetailSchema>;

/** Describes a session that exists. */
export async function describeSessionDetail(eventLog: EventLog, id: string): Promise<SessionDetail> {
  const { entries: _entries, ...view } = await viewSession(eventLog, id);
  const [[newest], [newestRun]] = await Promise.all([
    eventLog.read({ sessionId: id, last: 1 }),
    eventLog.runs({ sessionId: id, last: 1 }),
  ]);
  const activeRun = newestRun && !newestRun.ended ? newestRun.runId : null;
  return { ...view, lastSeq: newest?.seq ?? 0, activeRun };
}

/** A run with its numbers in the event log, and its result once it has ended. */
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

/** The first events of a run that are searched for its start. A run that continues a session may begin with late answers. */
const searchedEvents = 50;

/** Describes a run that exists. */
export async function describeRunDetail(
  eventLog: Pick<EventLog, "read">,
  { runId: id }: Pick<RunSummary, "runId">,
): Promise<RunDetail> {
  const [beginning, [newest]] = await Promise.all([
    eventLog.read({ runId: id, limit: searchedEvents }),
    eventLog.read({ runId: id, last: 1 }),
  ]);
  const started = beginning.find((event) => event.type === "run.started");
  const end = newest?.type === "run.finished" ? newest : undefined;
  return {
    ...{ id, session: beginning[0]?.sessionId ?? null, startedAt: formatTime(beginning[0]) },
    ...{ backend: started?.backend ?? null, model: started?.model ?? null, labels: started?.labels ?? {} },
    ...{ rehearsed: started?.rehearsed ?? false, tools: started?.tools ?? [] },
    ...{ firstSeq: beginning[0]?.seq ?? 0, lastSeq: newest?.seq ?? 0, ended: end !== undefined },
    ...{ stopReason: end?.result.stopReason ?? null, error: end?.result.error?.message ?? null },
    durationMs: end?.durationMs ?? null,
    result: end === undefined ? null : runResultSchema.parse(end.result),
  };
}

function formatTime(event: RunEvent | undefined): string {
  return new Date(event?.time ?? 0).toISOString();
}
