import { BridleError, type BridleErrorOptions } from "@bridle/protocol";

/** The reason why a statement did not run. */
export type RefusalReason =
  /** The text is not a single read-only statement, for example because it is an INSERT or two statements. */
  | "not_a_read"
  /** The statement uses a function or a form that has effects or reads outside the database. */
  | "effect"
  /** The statement refers to a table or schema outside the scope. */
  | "outside_scope"
  /** The statement refers to a table or column that does not exist. */
  | "unknown_name"
  /** The statement cannot be parsed. */
  | "syntax";

/** A statement that was refused before it ran. */
export class StatementRefusedError extends BridleError {
  readonly reason: RefusalReason;
  /** Existing names that are similar to the unknown one. */
  readonly nearest: readonly string[];

  constructor(
    message: string,
    { reason, nearest = [], ...options }: BridleErrorOptions & { reason: RefusalReason; nearest?: readonly string[] },
  ) {
    super("invalid_request", message, options);
    this.reason = reason;
    this.nearest = nearest;
  }
}

export function refuseStatement(reason: RefusalReason, message: string): never {
  throw new StatementRefusedError(message, { reason });
}
