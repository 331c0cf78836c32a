/** Finds and stops the sessions that protocols call threads, chats or conversations. */
import type { Workspace } from "@bridle/app/serving";
import { describeCaller } from "../../http/describe-caller.ts";
import { RequestProblem } from "../../http/problem.ts";
import { idPattern } from "../../http/request/path-names.ts";
import type { RequestSender } from "../../http/route.ts";
import type { RunPlace } from "./follow-run.ts";

/** Checks a client's id. @throws RequestProblem if it is not a valid session id. */
export function toSessionId(id: string, field: string): string {
  if (idPattern.test(id)) return id;
  const message = `${field} is not a valid id. An id has up to 128 letters, digits, dots, dashes and underscores.`;
  throw new RequestProblem(422, "no-id", message, { errors: [{ pointer: `/${field}`, message: "is not a valid id" }] });
}

/** Finds the session's run in progress, if this server runs it. */
export async function activeRun(
  { eventLog, runs }: Pick<Workspace, "eventLog" | "runs">,
  sessionId: string,
): Promise<RunPlace | undefined> {
  const [newest] = await eventLog.runs({ sessionId, last: 1 });
  return newest && !newest.ended && runs.has(newest.runId) ? { runId: newest.runId, sessionId } : undefined;
}

/** Stops the session's run in progress. Returns false if there is none. */
export async function stopSession(
  workspace: Pick<Workspace, "eventLog" | "runs">,
  sessionId: string,
  caller: RequestSender,
): Promise<boolean> {
  const run = await activeRun(workspace, sessionId);
  return run !== undefined && workspace.runs.stop(run.runId, `stopped by ${describeCaller(caller)}`);
}
