import type { Project } from "@bridle/project";
import { type EventLog, type EventQuery, NotFoundError, suggestion } from "@bridle/protocol";
import type { ProjectContext } from "../context/project-context.ts";
import { maxSuggested } from "./find-session.ts";

export type ProjectEventLog = Awaited<ReturnType<Project["openEventLog"]>>;

/** The events of one run or of one session. */
export type EventTarget = Extract<EventQuery, object>;

/** Opens the project's event log while some work needs it. */
export async function withEventLog<T>(
  { project }: Pick<ProjectContext, "project">,
  work: (eventLog: ProjectEventLog) => Promise<T>,
): Promise<T> {
  const eventLog = await project.openEventLog();
  try {
    return await work(eventLog);
  } finally {
    await eventLog.close();
  }
}

/** Finds the run or the session with this id. Without an id, finds the newest run. Throws NotFoundError with the nearest id. */
export async function findEvents(eventLog: EventLog, id: string | undefined): Promise<EventTarget> {
  if (id === undefined) {
    const [newest] = await eventLog.runs({ last: 1 });
    if (newest) return { runId: newest.runId };
    throw new NotFoundError('The event log of this project is empty. "bridle run" writes to it.');
  }
  if ((await eventLog.read({ runId: id, limit: 1 })).length > 0) return { runId: id };
  if ((await eventLog.read({ sessionId: id, limit: 1 })).length > 0) return { sessionId: id };
  const known = [
    ...(await eventLog.sessions({ last: maxSuggested })).map(({ sessionId }) => sessionId),
    ...(await eventLog.runs({ last: maxSuggested })).map(({ runId }) => runId),
  ];
  throw new NotFoundError(`No run and no session "${id}" is in the event log of this project.${suggestion(id, known)}`);
}
