import { RequestProblem } from "../../http/problem.ts";

/** Rejects an incomplete answer. @throws RequestProblem if the events ended before the fold was over. */
export function refuseUnended({ isOver }: { readonly isOver: boolean }): void {
  if (isOver) return;
  const message = "The server is ending, and the run is not over. It is on record: read it when the server is back.";
  throw new RequestProblem(503, "stream-ended", message);
}
