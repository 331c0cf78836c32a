import type { EnvironmentValue } from "../config/variables.ts";

/** Replaces strings from the environment with their references, such as `${NAME}`. */
export interface ValueRedactor {
  text(text: string): string;
  /** Rewrites an error and its causes in place: the message, the stack, and every string in its fields, at any depth. */
  error(error: unknown): void;
}

/**
 * Shorter values, such as `opus` or `sonnet`, are replaced only if they are the whole string or in double quotes. Elsewhere they are
 * probably part of another word.
 */
const minLengthAnywhere = 7;

/** Creates the redactor. `redact` removes all other credentials from the text after the replacements. */
export function createValueRedactor(
  values: readonly EnvironmentValue[],
  redact: (text: string) => string = (text) => text,
): ValueRedactor {
  const hidden = values.flatMap(withParts).toSorted((a, b) => b.value.length - a.value.length);

  function text(original: string): string {
    const replaced = hidden.reduce((found, { value, shown }) => {
      if (found === value) return shown;
      if (value.length >= minLengthAnywhere) return found.replaceAll(value, () => shown);
      return found.replaceAll(`"${value}"`, () => `"${shown}"`);
    }, original);
    return redact(replaced);
  }

  /** Rewrites errors, arrays and plain objects in place. Other objects, such as a response, are not changed. */
  function rewrite(holder: object, seen: Set<object>): void {
    if (seen.has(holder)) return;
    seen.add(holder);
    for (const key of Reflect.ownKeys(holder)) {
      const value: unknown = Reflect.get(holder, key);
      if (typeof value === "string")
        Reflect.set(holder, key, text(value)); // may be frozen
      else if (isPlain(value)) rewrite(value, seen);
    }
  }

  function error(found: unknown): void {
    if (found instanceof Error) rewrite(found, new Set());
  }

  return { text, error };
}

/** Adds the parts of an address, such as its password, because a host may quote only a part. */
function withParts({ value, shown }: EnvironmentValue): EnvironmentValue[] {
  const { username = "", password = "", hostname = "" } = URL.parse(value) ?? {};
  const parts = [username, password, hostname].filter((part) => part !== "");
  return [value, ...parts, ...parts.map(decoded)].map((part) => ({ value: part, shown }));
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function isPlain(value: unknown): value is object {
  if (value instanceof Error || Array.isArray(value)) return true;
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
