import type { Project } from "@bridle/project";
import { ConfigError, type EventLog, type EventQuery, suggestion } from "@bridle/protocol";
import type { ProjectContext } from "../context/project-context.ts";

export type ProjectEventLog = Awaited<ReturnType<Project["openEventLog"]>>;

/** The events of one run or of one session. */
export type EventTarget = Extract<EventQuery, object>;

/** Opens the event log of the project for some work, and closes it afterwards. */
export async function withEventLog<T>(
  { project }: Pick<ProjectContext, "project">,
  work: (eventLog: ProjectEventLog) => Promise<T>,
): Promise<T> {
  const eventLog = await project.openEventLog();
  try {
    return await work(eventLog);
  } finally {
    eventLog.close();
  }
}

/** Finds the run or the session with this id; without an id, the newest run. Throws ConfigError with the nearest id. */
export function findEvents(eventLog: EventLog, id: string | undefined): EventTarget {
  if (id === undefined) {
    const [newest] = eventLog.runs({ last: 1 });
    if (newest) return { runId: newest.runId };
    throw new ConfigError('The event log of this project is empty. "bridle run" writes to it.');
  }
  if (eventLog.events({ runId: id, limit: 1 }).length > 0) return { runId: id };
  if (eventLog.events({ sessionId: id, limit: 1 }).length > 0) return { sessionId: id };
  const known = [
    ...eventLog.sessions().map(({ sessionId }) => sessionId),
    ...eventLog.runs().map(({ runId }) => runId),
  ];
  throw new ConfigError(`No run and no session "${id}" is in the event log of this project.${suggestion(id, known)}`);
}
