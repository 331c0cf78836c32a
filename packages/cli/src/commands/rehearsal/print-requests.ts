import { type RecordedRequest, type Rehearsal, type RehearsalFailure } from "@bridle/rehearsal";
import { harmless } from "@bridle/app";

/** Says every request in a line as it comes, and why one had no answer, until the rehearsal is closed. */
export async function tellRequests(rehearsal: Rehearsal, say: (line: string, failed: boolean) => void): Promise<void> {
  for (;;) {
    const request = await rehearsal.nextRequest().catch(() => undefined);
    if (request === undefined) return;
    const failure = rehearsal.failures.find((each) => each.request === request);
    say(harmless(lineOf(request, failure)), failure !== undefined);
  }
}

function lineOf({ method, path, played }: RecordedRequest, failure: RehearsalFailure | undefined): string {
  if (failure !== undefined) return `✗ ${method} ${path}: ${failure.message}`;
  return played === undefined ? `${method} ${path}` : `${method} ${path} → turn ${played.turn}, step ${played.step}`;
}
