import { InvalidRequestError } from "@bridle/protocol";

/** The characters and the length of a session id. */
export const sessionIdPattern = /^(?!\.{1,2}$)[A-Za-z0-9_.-]{1,128}$/;

/** Returns the id. Throws InvalidRequestError for an invalid session id. */
export function checkSessionId(id: string): string {
  if (sessionIdPattern.test(id)) return id;
  throw new InvalidRequestError(
    "The id of a session has 1 to 128 letters, digits, dots, - and _, and cannot be . or .. alone. Choose another.",
  );
}

/** Throws InvalidRequestError for an invalid run id. */
export function checkRunId(id: string): void {
  if (/^[A-Za-z0-9_-]{1,128}$/.test(id)) return;
  throw new InvalidRequestError("The id of a run has 1 to 128 letters, digits, - and _. Choose another.");
}
