import type { EnvironmentValue } from "../config/variables.ts";

/** Puts `${NAME}` in the place of texts that came from the environment. */
export interface Concealer {
  text(text: string): string;
  /** Rewrites an error and its causes in place: message, stack, and every text in its fields, however deep. */
  error(error: unknown): void;
}

/**
 * Shorter values, such as `opus` or `sonnet`, are replaced only where they are alone or in double quotes: elsewhere
 * they are most likely a part of another word.
 */
const shortestAnywhere = 7;

/** `redact` takes out what is a credential all the same; it is given what is left. */
export function createConcealer(
  values: readonly EnvironmentValue[],
  redact: (text: string) => string = (text) => text,
): Concealer {
  const hidden = values.flatMap(withParts).toSorted((a, b) => b.value.length - a.value.length);

  function text(original: string): string {
    const concealed = hidden.reduce((found, { value, shown }) => {
      if (found === value) return shown;
      if (value.length >= shortestAnywhere) return found.replaceAll(value, () => shown);
      return found.replaceAll(`"${value}"`, () => `"${shown}"`);
    }, original);
    return redact(concealed);
  }

  /** Rewrites in place what errors are made of; other objects, such as a response, are left alone. */
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

/** Of an address also what it is made of: a password is told by a host that quotes it alone. */
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
