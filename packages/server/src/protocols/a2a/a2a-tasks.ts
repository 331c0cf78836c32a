/** Reads tasks from the event log: each run of an agent is a task. */
import type { ServedAgent, Workspace } from "@bridle/app/serving";
import type { EventOf, RunEvent, RunSummary } from "@bridle/protocol";
import { z } from "zod";
import { readRun } from "../../api/read-run.ts";
import { parseCursor, toCursor } from "../../api/replies.ts";
import { RequestProblem } from "../../http/problem.ts";
import { A2aFold } from "./a2a-fold.ts";
import type { A2aTask } from "./a2a-objects.ts";
import type { ListParams } from "./a2a-request.ts";

/** A run whose events have been folded up to an event. */
export interface FoundTask {
  readonly fold: A2aFold;
  readonly runId: string;
  readonly sessionId: string;
  /** The newest event in the fold. */
  readonly seq: number;
}

/** Folds a task up to now, or up to an event. @throws RequestProblem if the agent has no such task. */
export async function findTask(
  { eventLog }: Pick<Workspace, "eventLog">,
  agent: ServedAgent,
  id: string,
  until = Number.POSITIVE_INFINITY,
): Promise<FoundTask> {
  let found: FoundTask | undefined;
  for await (const page of readRun(eventLog, id)) {
    found ??= begin(page, agent);
    if (found === undefined) break;
    for (const event of page) {
      if (event.seq > until) return found;
      found.fold.skip(event);
      found = { ...found, seq: event.seq };
    }
  }
  if (found !== undefined) return found;
  throw new RequestProblem(404, "no-such-task", `The agent has no task "${id.slice(0, 100)}". Check the id.`);
}

function begin(page: readonly RunEvent[], agent: ServedAgent): FoundTask | undefined {
  const started = page.find((event) => event.type === "run.started");
  if (started?.sessionId === undefined || !isOf(agent, started)) return undefined;
  const { runId, sessionId } = started;
  return { fold: new A2aFold({ runId, sessionId }), runId, sessionId, seq: (page[0]?.seq ?? 1) - 1 };
}

/** Whether a run is a task of the agent. Runs of tests and summaries are tasks of no agent. */
function isOf({ name, file }: ServedAgent, { labels = {} }: EventOf<"run.started">): boolean {
  const { agent, test, summaryOf } = labels;
  if (test !== undefined || summaryOf !== undefined) return false;
  return agent === undefined ? file === undefined : agent === name;
}

/** Keeps only as many of the newest messages as the client requests. */
export function withHistory(task: A2aTask, length: number | undefined): Partial<A2aTask> {
  if (length === undefined) return task;
  const { history, ...rest } = task;
  return length === 0 ? rest : { ...rest, history: history.slice(-length) };
}

/** The maximum number of runs to examine for one page. Most of them may belong to another agent, or be in another state. */
const maxSeen = 500;

const placeSchema = z.strictObject({ runId: z.string(), sessionId: z.string() });

/** Lists one page of an agent's tasks, the newest first. */
export async function listTasks(workspace: Pick<Workspace, "eventLog">, agent: ServedAgent, params: ListParams) {
  const { pageSize, contextId, pageToken, historyLength, includeArtifacts } = params;
  const after = pageToken ? parseCursor(pageToken, placeSchema) : undefined;
  const sessionId = contextId ? { sessionId: contextId } : {};
  const runs = await workspace.eventLog.runs({ ...sessionId, last: maxSeen + 1, ...(after && { after }) });
  const tasks: Partial<A2aTask>[] = [];
  let last: RunSummary | undefined;
  let seen = 0;
  for (const run of runs.slice(0, maxSeen)) {
    if (tasks.length === pageSize) break;
    seen += 1;
    last = run;
    const found = await findTask(workspace, agent, run.runId).catch(absent);
    if (found === undefined || !fits(found.fold.task, params)) continue;
    const { artifacts, ...task } = withHistory(found.fold.task, historyLength);
    tasks.push(includeArtifacts ? { ...task, ...(artifacts && { artifacts }) } : task);
  }
  const isLast = seen === runs.length || last?.sessionId === undefined;
  const nextPageToken = isLast ? "" : toCursor({ runId: last?.runId, sessionId: last?.sessionId });
  return { tasks, nextPageToken, pageSize, totalSize: tasks.length };
}

function absent(error: unknown): undefined {
  if (error instanceof RequestProblem) return undefined;
  throw error;
}

function fits({ status }: A2aTask, { status: wanted, statusTimestampAfter = 0 }: ListParams): boolean {
  const isInState = wanted === undefined || wanted === "TASK_STATE_UNSPECIFIED" || status.state === wanted;
  return isInState && Date.parse(status.timestamp) >= statusTimestampAfter;
}
