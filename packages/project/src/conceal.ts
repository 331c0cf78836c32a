import type { EnvironmentValue } from "./config/variables.ts";

/** Puts `${NAME}` in the place of texts that came from the environment. */
export interface Concealer {
  text(text: string): string;
  /** Rewrites an error and its causes in place: message, stack, and every field that is a text or a list of texts. */
  error(error: unknown): void;
}

/**
 * Shorter values, such as `opus` or `sonnet`, are replaced only where they stand alone or in double quotes: elsewhere
 * they are most likely a part of another word.
 */
const shortestAnywhere = 7;

export function createConcealer(values: readonly EnvironmentValue[]): Concealer {
  const hidden = values.flatMap(withParts).toSorted((a, b) => b.value.length - a.value.length);

  function text(original: string): string {
    return hidden.reduce((found, { value, shown }) => {
      if (found === value) return shown;
      if (value.length >= shortestAnywhere) return found.replaceAll(value, () => shown);
      return found.replaceAll(`"${value}"`, () => `"${shown}"`);
    }, original);
  }

  function error(found: unknown): void {
    if (!(found instanceof Error)) return;
    for (const key of Reflect.ownKeys(found)) {
      const value: unknown = Reflect.get(found, key);
      if (typeof value === "string") Reflect.set(found, key, text(value)); // may be frozen
      if (isTexts(value)) Reflect.set(found, key, value.map(text));
    }
    if (found.cause !== found) error(found.cause);
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

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}
