import {
  BackendCrashError,
  bullets,
  getErrorMessage,
  type JsonValue,
  StructuredOutputError,
  toJson,
  type ValidationIssue,
} from "@bridle/protocol";
import type { OutputSchema, ValidationResult } from "../schemas/output-schema.ts";
import type { RunPlan } from "./run-plan.ts";

export interface ObjectRetry<T> {
  follow: RunPlan["follow"];
  /** Returns the parsed object. Throws if the model has not returned a valid object yet. */
  object(): T;
}

/**
 * Sends the problems to the model, in the same conversation, until the object is valid or no retries remain. The run logs the object as the
 * model returned it, which is JSON; the parsed object may contain other values, such as dates.
 */
export function retryUntilValid<T>(output: OutputSchema<T>, schemaRetries: number): ObjectRetry<T> {
  let left = schemaRetries;
  let parsed: { value: T } | undefined;
  return {
    async follow(end, text) {
      const { given, checked } = await check(output, end.object);
      if (checked.ok) {
        parsed = { value: checked.value };
        return { done: true, object: given };
      }
      if (left === 0)
        throw neverValid(schemaRetries, given === undefined ? text : JSON.stringify(given), checked.issues);
      left -= 1;
      return { done: false, ask: retryPrompt(checked.issues), object: given };
    },
    object() {
      if (parsed) return parsed.value;
      throw new BackendCrashError("The run ended without an object.");
    },
  };
}

interface Answer<T> {
  given?: JsonValue;
  checked: ValidationResult<T>;
}

async function check<T>(output: OutputSchema<T>, object: unknown): Promise<Answer<T>> {
  if (object === undefined) return { checked: notValid("No object was given.") };
  const answer: Partial<Answer<T>> = {};
  try {
    answer.given = toJson(object);
    return { ...answer, checked: await output.validate(answer.given) };
  } catch (error) {
    return { ...answer, checked: notValid(`The object could not be checked: ${getErrorMessage(error)}`) };
  }
}

function notValid<T>(message: string): ValidationResult<T> {
  return { ok: false, issues: [{ path: "", message }] };
}

function retryPrompt(issues: readonly ValidationIssue[]): string {
  return `Your answer does not fit the schema. Answer again with the whole object, and correct this:\n${listIssues(issues)}`;
}

function neverValid(schemaRetries: number, text: string, issues: readonly ValidationIssue[]): StructuredOutputError {
  const message = `No valid object came in ${schemaRetries + 1} answers:\n${listIssues(issues)}\nSimplify the schema, or allow more corrections: schemaRetries of the request, or execution.schema_retries of an agent file.`;
  return new StructuredOutputError(message, text, issues);
}

function listIssues(issues: readonly ValidationIssue[]): string {
  return bullets(issues.map(({ path, message }) => `${path || "(object)"}: ${message}`));
}
