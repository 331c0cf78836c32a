/** Errors of a workspace. Each interface represents them in its own way, for example as an HTTP status. */
import { InvalidRequestError, StoreBusyError } from "@bridle/protocol";

/** Thrown if the agent, session or run does not exist. */
export class NotServedError extends InvalidRequestError {}

/** Thrown if the key was already used with another request. */
export class KeyReusedError extends InvalidRequestError {
  constructor(key: string) {
    super(
      `The key "${key}" came with another request in the last 24 hours. Send the same request again, or choose another key.`,
    );
  }
}

/** Thrown if the maximum number of runs is in progress. */
export class TooManyRunsError extends InvalidRequestError {
  constructor(max: number, message?: string) {
    super(message ?? `The server has ${max} places for runs, and none is free. Try again when a run has ended.`);
  }
}

/** Thrown if the maximum number of runs is waiting in a session. */
export class TooManyWaitingError extends TooManyRunsError {
  constructor(sessionId: string, max: number) {
    super(max, `${max} runs wait for their turn in the session ${sessionId}. Try again when one has ended.`);
  }
}

/** Thrown if the server starts nothing more, because it is shutting down. */
export class ServingEndedError extends InvalidRequestError {
  constructor() {
    super("The server is shutting down and starts no run. Send the request again when it is back.");
  }
}

/** Thrown if the session to create already exists. */
export class SessionExistsError extends InvalidRequestError {
  constructor(id: string) {
    super(`The session "${id}" exists already. Choose another id, or continue it.`);
  }
}

/** Thrown if the maximum number of sessions without runs is reached. */
export class TooManySessionsError extends InvalidRequestError {
  constructor(max: number) {
    super(`${max} sessions exist that have had no run. Remove some, or send prompts to them.`);
  }
}

/** Thrown if the followed session was removed. Another session may have its id now. */
export class SessionRemovedError extends InvalidRequestError {
  readonly sessionId: string;

  constructor(sessionId: string) {
    super(`The session "${sessionId}" was removed. If there is one with this id again, read it from its start.`);
    this.sessionId = sessionId;
  }
}

/** Creates the error for a session that has another run in progress in this process. */
export function busyHere(sessionId: string): StoreBusyError {
  const message = `The session ${sessionId} has a run in progress in this server. Wait for its end, or stop it.`;
  return new StoreBusyError(message, sessionId, { holder: "this server" });
}
