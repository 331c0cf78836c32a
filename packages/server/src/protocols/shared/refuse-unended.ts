import { RequestProblem } from "../../http/problem.ts";

/** @throws RequestProblem if a fold got no more events before the end: half an answer must not look like a whole one. */
export function refuseUnended({ isOver }: { readonly isOver: boolean }): void {
  if (isOver) return;
  const message = "The server is ending, and the run is not over. It is on record: read it when the server is back.";
  throw new RequestProblem(503, "stream-ended", message);
}
