import { AbortError, type BridleError, ConfigError, InvalidRequestError, TimeoutError } from "@bridle/protocol";
import type { SqliteFailure } from "./process/messages.ts";

/** SQLite's primary result codes, see https://sqlite.org/rescode.html. */
const codes = { busy: 5, locked: 6, readOnly: 8, ioError: 10, corrupt: 11, cannotOpen: 14, notADatabase: 26 } as const;

/** Returns the error for a file that cannot be opened or read, in one sentence with a remedy. */
function explainFile({ message, errcode = 0 }: SqliteFailure, name: string): BridleError | undefined {
  switch (errcode & 0xff) {
    case codes.busy:
    case codes.locked:
      return new TimeoutError(`${name} is locked by another program that writes. Try again when it is done.`);
    case codes.readOnly:
      return new ConfigError(
        `${name} was left in the middle of a change. Open it once with a program that may write, so that SQLite repairs it.`,
      );
    case codes.ioError:
      return new ConfigError(`${name} cannot be read from the disk (${message}). Check the disk, or use a copy.`);
    case codes.corrupt:
      return new ConfigError(`${name} is damaged (${message}). Restore it from a backup.`);
    case codes.cannotOpen:
      return new ConfigError(`${name} cannot be opened. Check that you may read it and its folder.`);
    case codes.notADatabase:
      return new ConfigError(`${name} is not a SQLite database, or it is encrypted. Check the path.`);
    default:
      return undefined;
  }
}

export function explainOpening(failure: SqliteFailure, name: string): BridleError {
  return explainFile(failure, name) ?? new ConfigError(`${name} cannot be opened: ${failure.message}.`);
}

/** Returns the error for a failed statement. SQLite's own message names the faulty part of the statement. */
export function explainStatementFailure(failure: SqliteFailure, name: string): BridleError {
  if (failure.denied !== undefined)
    return new InvalidRequestError(
      `SQLite refused the statement, because it ${failure.denied}: this connection only reads.`,
    );
  return explainFile(failure, name) ?? new InvalidRequestError(`SQLite: ${failure.message}.`);
}

export function stoppedBy(signal: AbortSignal): AbortError {
  return new AbortError("The statement was stopped.", { cause: signal.reason });
}
