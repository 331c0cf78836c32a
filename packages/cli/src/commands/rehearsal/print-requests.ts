import { type Rehearsal, type ServedRequest, servedRequests } from "@bridle/app/rehearsal";
import { toPrintable } from "../../terminal/printable.ts";

/** Prints each request as it arrives, and why it was not answered, until the rehearsal is closed. */
export async function printRequests(
  rehearsal: Rehearsal,
  print: (line: string, failed: boolean) => void,
): Promise<void> {
  for await (const served of servedRequests(rehearsal)) {
    print(toPrintable(formatRequest(served)), served.failure !== undefined);
  }
}

function formatRequest({ request: { method, path, played }, failure }: ServedRequest): string {
  if (failure !== undefined) return `✗ ${method} ${path}: ${failure.message}`;
  return played === undefined ? `${method} ${path}` : `${method} ${path} → turn ${played.turn}, step ${played.step}`;
}
