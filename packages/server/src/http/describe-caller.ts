import type { RequestSender } from "./route.ts";

/** Describes the author of an action for the event log: the name of the token, and the address of the client. */
export function describeCaller({ name, address }: RequestSender): string {
  return `${name} (${address})`;
}
