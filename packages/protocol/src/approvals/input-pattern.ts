import { ConfigError } from "../errors/errors.ts";
import { canonicalJson, isPlainObject } from "../text/json.ts";
import { getErrorMessage } from "../text/reason.ts";
import type { InputPattern } from "./permissions.ts";

/** Makes the test of an input. Throws ConfigError for a text that is no regular expression. */
export function createInputTest(pattern: InputPattern = {}, field = "when"): (input: unknown) => boolean {
  const tests = Object.entries(pattern).map(([path, source]) => ({ path, expression: compile(source, field, path) }));
  return (input) => tests.every(({ path, expression }) => isFoundIn(fieldOf(input, path), expression));
}

function compile(source: string, field: string, path: string): RegExp {
  try {
    return new RegExp(source, "i");
  } catch (cause) {
    const where = `${field}.${path}`;
    throw new ConfigError(`${where} is no regular expression: ${getErrorMessage(cause)}. Mend it.`, {
      field: where,
      cause,
    });
  }
}

function isFoundIn(value: unknown, expression: RegExp): boolean {
  if (value === undefined) return false;
  return expression.test(typeof value === "string" ? value : canonicalJson(value));
}

/** What stands at a path: the field of that name where there is one, else field by field. */
function fieldOf(input: unknown, path: string): unknown {
  if (isPlainObject(input) && Object.hasOwn(input, path)) return input[path];
  return path.split(".").reduce<unknown>((holder, key) => {
    if (typeof holder !== "object" || holder === null || !Object.hasOwn(holder, key)) return undefined;
    return Reflect.get(holder, key);
  }, input);
}
