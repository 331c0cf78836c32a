import { type RefusalReason, StatementRefusedError } from "@bridle/sql";

export function refusal(reason: RefusalReason, message: string): StatementRefusedError {
  return new StatementRefusedError(message, { reason });
}

export function syntaxRefusal(found: string | undefined, expected: string): StatementRefusedError {
  const place = found === undefined ? "the statement ends" : `there is ${found}`;
  return refusal(
    "syntax",
    `Expected ${expected}, but ${place}. Check the syntax, and quote names that are keywords with "".`,
  );
}
