import { RequestProblem } from "../../http/problem.ts";

/** @throws RequestProblem if the events ended before the fold, because an incomplete answer must not look complete. */
export function refuseUnended({ isOver }: { readonly isOver: boolean }): void {
  if (isOver) return;
  const message = "The server is ending, and the run is not over. It is on record: read it when the server is back.";
  throw new RequestProblem(503, "stream-ended", message);
}
