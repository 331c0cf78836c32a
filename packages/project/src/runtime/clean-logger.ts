import type { Redactor } from "@bridle/core";
import type { Logger } from "@bridle/protocol";

type Write = (fields: object, message: string) => void;

/** Wraps a logger so that it gets no credentials: texts are redacted, and an error with a credential is replaced with a redacted copy. */
export function createCleanLogger(logger: Logger, redactor: Redactor): Logger {
  const clean =
    (level: keyof Logger): Write =>
    (fields, message) =>
      logger[level](cleanFields(fields, redactor), redactor.text(message));
  return { debug: clean("debug"), info: clean("info"), warn: clean("warn"), error: clean("error") };
}

/** Creates a logger that writes to all of these loggers. */
export function joinLoggers(loggers: readonly Logger[]): Logger {
  const all =
    (level: keyof Logger): Write =>
    (fields, message) => {
      for (const logger of loggers) logger[level](fields, message);
    };
  return { debug: all("debug"), info: all("info"), warn: all("warn"), error: all("error") };
}

function cleanFields(fields: object, redactor: Redactor): object {
  const entries = Object.entries(fields).map(([key, value]: [string, unknown]) => {
    return [key, value instanceof Error ? cleanError(value, redactor) : redactor.value(value)] as const;
  });
  return Object.fromEntries(entries);
}

/** Returns a redacted copy, because an error of other code must not be changed. */
function cleanError(error: Error, { text }: Redactor): Error {
  const cause = error.cause instanceof Error ? cleanError(error.cause, { text, value: (value) => value }) : undefined;
  const isClean = text(error.message) === error.message && text(error.stack ?? "") === (error.stack ?? "");
  if (isClean && cause === error.cause) return error;
  const copy = new Error(text(error.message), cause && { cause });
  copy.name = error.name;
  copy.stack = text(error.stack ?? "");
  return copy;
}
