import type { StandardIssue, StandardResult, StandardSchema } from "@bridle/protocol";
import { z } from "zod";
import { runInTime } from "../async/run-in-time.ts";
import { checkInTime } from "./bounded-schema.ts";
import { isZod } from "./schema-library.ts";

export type CheckedValue<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problems: readonly ValueProblem[] };

/** One problem of a value. `path` is empty for the value itself, and `found` is the value at the path. */
export interface ValueProblem {
  readonly path: string;
  readonly message: string;
  readonly found: unknown;
}

/** The time limit of a check. A pattern such as `^(a+)+$` in a schema can take years. */
export const checkMs = 2000;

/**
 * Validates a value with a schema of any library. Resolves with `undefined` if the validation takes too long. What a schema does after its
 * first `await` has no time limit.
 */
export async function checkValue<T>(schema: StandardSchema<T>, value: unknown): Promise<CheckedValue<T> | undefined> {
  return isZod(schema) ? checkWithZod(schema as z.core.$ZodType<T>, value) : checkWithStandard(schema, value);
}

async function checkWithZod<T>(schema: z.core.$ZodType<T>, value: unknown): Promise<CheckedValue<T> | undefined> {
  const checked = checkInTime(schema, () => z.safeParseAsync(schema, value, { reportInput: true }), checkMs);
  if (checked === undefined) return undefined;
  const parsed = await checked.value;
  return parsed.success ? { ok: true, value: parsed.data } : { ok: false, problems: readIssues(parsed.error) };
}

/** Lists the problems that Zod found. */
export function readIssues({ issues }: z.core.$ZodError): readonly ValueProblem[] {
  return issues.map(({ path, message, input }) => ({ path: z.core.toDotPath(path), message, found: input }));
}

async function checkWithStandard<T>(
  { "~standard": standard }: StandardSchema<T>,
  value: unknown,
): Promise<CheckedValue<T> | undefined> {
  const checked = runInTime(() => standard.validate(value), checkMs);
  if (checked === undefined) return undefined;
  const result: StandardResult = await checked.value;
  if (result.issues === undefined) return { ok: true, value: result.value as T }; // the library's own claim
  return { ok: false, problems: result.issues.map((issue) => readStandardIssue(issue, value)) };
}

function readStandardIssue({ path = [], message }: StandardIssue, value: unknown): ValueProblem {
  const keys = path.map((part) => (typeof part === "object" ? part.key : part));
  const found = keys.reduce<unknown>((inner, key) => Reflect.get(Object(inner), key), value);
  return { path: z.core.toDotPath(keys), message, found };
}
