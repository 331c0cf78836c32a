import { openProjectEventLog } from "@bridle/project";
import { ConfigError, type EventLog, type EventQuery, suggestion } from "@bridle/protocol";
import type { Cli } from "../cli/cli.ts";
import { type ProjectFlagValues, projectFlags, whereabouts } from "../cli/project-flag.ts";

/** What a command reads: the id of a run or of a session. */
export const recordOperand = { name: "id", description: "a run or a session (default: the newest run)" };

export const recordFlags = projectFlags;

export type ProjectRecord = Awaited<ReturnType<typeof openProjectEventLog>>;

/** Works with the record of the project. */
export async function withRecord<T>(
  where: ProjectFlagValues,
  cli: Cli,
  work: (record: ProjectRecord) => Promise<T>,
): Promise<T> {
  const record = await openProjectEventLog(whereabouts(where, cli), cli.cwd);
  try {
    return await work(record);
  } finally {
    record.close();
  }
}

/** What an id names. Throws ConfigError, with the nearest match where it names nothing. */
export function findOnRecord(record: EventLog, id: string | undefined): Extract<EventQuery, object> {
  if (id === undefined) {
    const [newest] = record.runs({ last: 1 });
    if (newest) return { runId: newest.runId };
    throw new ConfigError('Nothing is on record in this project. "bridle run" keeps what happens.');
  }
  if (record.events({ runId: id, limit: 1 }).length > 0) return { runId: id };
  if (record.events({ sessionId: id, limit: 1 }).length > 0) return { sessionId: id };
  const known = [...record.sessions().map(({ sessionId }) => sessionId), ...record.runs().map(({ runId }) => runId)];
  throw new ConfigError(`Neither a run nor a session "${id}" is on record in this project.${suggestion(id, known)}`);
}
