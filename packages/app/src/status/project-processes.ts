/** Which processes work on a project now. */
import type { EventLog } from "@bridle/protocol";
import { z } from "zod";
import type { ProjectContext } from "../context/project-context.ts";
import { readServerStatus, serverStatusSchema } from "../serving/files/server-file.ts";

export const projectProcessesSchema = z.strictObject({
  /** The process that answers this request. */
  pid: z.int().positive(),
  started: z.iso.datetime(),
  node: z.string(),
  /** The memory use in bytes. */
  memory: z.int().nonnegative(),
  /** The project's recorded server, even if it is another process; `null` if there is none. */
  server: serverStatusSchema.shape.server,
  runs: z.array(
    z.strictObject({
      run: z.string(),
      session: z.string().nullable(),
      startedAt: z.iso.datetime(),
      /** Whether the run is in progress in this process, and not in another one. */
      isHere: z.boolean(),
    }),
  ),
});
export type ProjectProcesses = z.output<typeof projectProcessesSchema>;

/** The maximum number of runs to check. */
const newestRuns = 200;

export async function readProjectProcesses(
  context: Pick<ProjectContext, "project">,
  eventLog: Pick<EventLog, "runs">,
  isHere: (runId: string) => boolean,
): Promise<ProjectProcesses> {
  const { server } = await readServerStatus(context);
  const runs = (await eventLog.runs({ last: newestRuns })).filter(({ ended }) => !ended);
  return {
    pid: process.pid,
    node: process.version,
    memory: process.memoryUsage.rss(),
    server,
    started: new Date(Date.now() - process.uptime() * 1000).toISOString(),
    runs: runs.map(({ runId, sessionId, startedAt }) => ({
      run: runId,
      session: sessionId ?? null,
      startedAt: new Date(startedAt).toISOString(),
      isHere: isHere(runId),
    })),
  };
}
