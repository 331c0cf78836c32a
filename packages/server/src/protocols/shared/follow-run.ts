import type { ServedRun, Workspace } from "@bridle/app/serving";
import type { RunEvent } from "@bridle/protocol";

export type RunPlace = Pick<ServedRun, "runId" | "sessionId">;

/**
 * Yields the recorded events of a run after a number, and then new events until the run ends. If it stops before that, the signal was
 * aborted.
 */
export async function* followRun(
  { events }: Pick<Workspace, "events">,
  { runId, sessionId }: RunPlace,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<readonly RunEvent[]> {
  for await (const page of events.follow(sessionId, after, signal)) {
    const own = page.filter((event) => event.runId === runId);
    if (own.length > 0) yield own;
    if (own.some(({ type }) => type === "run.finished")) return;
  }
}

/** Folds the events of a run to the events of a protocol. */
export interface Fold<T> {
  readonly isOver: boolean;
  next(event: RunEvent): readonly T[];
}

/** Yields the output of a fold for the events, until it is over. One write for each page. */
export async function* foldPages<T>(
  fold: Fold<T>,
  pages: AsyncIterable<readonly RunEvent[]>,
): AsyncGenerator<readonly T[]> {
  for await (const page of pages) {
    const told: T[] = [];
    for (const event of page) if (!fold.isOver) told.push(...fold.next(event));
    if (told.length > 0) yield told;
    if (fold.isOver) return;
  }
}
