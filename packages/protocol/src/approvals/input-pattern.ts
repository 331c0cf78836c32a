import { ConfigError } from "../errors/errors.ts";
import { canonicalJson, isPlainObject } from "../text/json.ts";
import { getErrorMessage } from "../text/reason.ts";
import type { InputPattern } from "./permissions.ts";

/**
 * Compiles a pattern to a test of inputs.
 *
 * @throws ConfigError if an expression is invalid. `field` names the setting in the error.
 */
export function createInputTest(pattern: InputPattern = {}, field = "when"): (input: unknown) => boolean {
  const tests = Object.entries(pattern).map(([path, source]) => ({ path, expression: compile(source, field, path) }));
  return (input) => tests.every(({ path, expression }) => isFoundIn(readField(input, path), expression));
}

function compile(source: string, field: string, path: string): RegExp {
  try {
    return new RegExp(source, "i");
  } catch (cause) {
    const setting = `${field}.${path}`;
    throw new ConfigError(`${setting} is not a regular expression: ${getErrorMessage(cause)}. Correct it.`, {
      field: setting,
      cause,
    });
  }
}

function isFoundIn(value: unknown, expression: RegExp): boolean {
  if (value === undefined) return false;
  return expression.test(typeof value === "string" ? value : canonicalJson(value));
}

/** The value at a path: a field with the whole name if there is one, otherwise field by field. */
function readField(input: unknown, path: string): unknown {
  if (isPlainObject(input) && Object.hasOwn(input, path)) return input[path];
  return path.split(".").reduce<unknown>((holder, key) => {
    if (typeof holder !== "object" || holder === null || !Object.hasOwn(holder, key)) return undefined;
    return Reflect.get(holder, key);
  }, input);
}
