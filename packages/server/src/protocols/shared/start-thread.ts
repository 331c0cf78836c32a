import type { RunToStart, Workspace } from "@bridle/app/serving";
import { type Continued, refuseIfAsked } from "./answer-questions.ts";

/**
 * Starts a run for a new message. If the key has already started a run, returns that run, even if it has asked a question since.
 *
 * @throws RequestProblem if a question of the session is open.
 */
export async function startThread(workspace: Workspace, run: Omit<RunToStart, "check">): Promise<Continued> {
  const { session } = run;
  const check = session === undefined ? undefined : () => refuseIfAsked(workspace, session);
  const started = await workspace.runs.start({ ...run, check });
  return { ...started, after: started.firstSeq - 1 };
}
