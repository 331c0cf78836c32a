import { BridleError, type BridleErrorOptions } from "@bridle/protocol";

/** Why a statement did not run. */
export type RefusalReason =
  /** It is not one statement that reads, such as an INSERT or two statements. */
  | "not_a_read"
  /** It names a function or a form of a statement that has effects or reads outside the database. */
  | "effect"
  /** It names a table or schema outside the scope. */
  | "outside_scope"
  /** It names a table or column that does not exist. */
  | "unknown_name"
  /** It cannot be parsed. */
  | "syntax";

/** A statement that was refused before it ran. */
export class StatementRefusedError extends BridleError {
  readonly reason: RefusalReason;
  /** Existing names that are close to an unknown one. */
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
