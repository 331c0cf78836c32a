/** Response ids, which consist of the id of the run, and the number of the event before this part of the run. */
import type { Workspace } from "@bridle/app/serving";
import { RequestProblem } from "../../http/problem.ts";

const pattern = /^resp_([A-Za-z0-9_-]+)(?:[.](\d{1,15}))?$/;

export function toResponseId(runId: string, after: number | undefined): string {
  return `resp_${runId}${after === undefined ? "" : `.${after}`}`;
}

/** A recorded response. */
export interface FoundResponse {
  readonly id: string;
  readonly runId: string;
  readonly sessionId: string;
  /** The number of the event before the response. */
  readonly after: number;
}

/** Finds a recorded response. @throws RequestProblem if it does not exist. */
export async function findResponse({ eventLog }: Pick<Workspace, "eventLog">, id: string): Promise<FoundResponse> {
  const [, runId, seq] = pattern.exec(id) ?? [];
  const [first] = runId === undefined ? [] : await eventLog.read({ runId, limit: 1 });
  if (runId === undefined || first?.sessionId === undefined) {
    throw new RequestProblem(404, "no-such-response", `There is no response "${id.slice(0, 100)}". Check the id.`);
  }
  return { id, runId, sessionId: first.sessionId, after: seq === undefined ? first.seq - 1 : Number(seq) };
}
