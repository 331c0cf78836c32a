/** Finds credentials that a file itself contains, instead of a reference to the environment. */
import type { SettingSources } from "./setting-sources.ts";
import type { EnvironmentValue } from "./variables.ts";

/** Tells from the path of a setting whether it is sensitive. */
export interface SecretPaths {
  /** Whether the value at this path is a credential. */
  isCredential(path: readonly PropertyKey[]): boolean;
  /** Whether the value at this path is redacted, because it may be a credential. Default: never. */
  mayBeCredential?(path: readonly PropertyKey[]): boolean;
}

export interface TypedSecret extends EnvironmentValue {
  /** The path of the setting, such as `llm.provider.apiKey` or `tools.0.env.SHOP_TOKEN`. `shown` is this path in parentheses. */
  readonly path: string;
  /** Whether the value should not be in the file. False for a header, which may be harmless. */
  readonly isOpen: boolean;
}

/** Whether a value of a file is a credential: by its path, or because it is an address with a password. */
export function isOpenSecret(
  value: unknown,
  path: readonly PropertyKey[],
  { isCredential }: Pick<SecretPaths, "isCredential">,
): boolean {
  return isCredential(path) || (typeof value === "string" && hasPassword(value));
}

/**
 * Finds the strings in a file's settings that must be redacted in all output. Skips values from the environment; `written` contains their
 * paths.
 */
export function findTypedSecrets(
  settings: unknown,
  { written }: Pick<SettingSources, "written">,
  paths: SecretPaths,
): TypedSecret[] {
  const walk = (value: unknown, path: readonly string[]): TypedSecret[] => {
    if (typeof value === "object" && value !== null) {
      return Object.entries(value).flatMap(([key, inner]) => walk(inner, [...path, key]));
    }
    const name = path.join(".");
    if (typeof value !== "string" || value === "" || written[name] !== undefined) return [];
    const isOpen = isOpenSecret(value, path, paths);
    return isOpen || paths.mayBeCredential?.(path) ? [{ path: name, value, shown: `(${name})`, isOpen }] : [];
  };
  return walk(settings, []);
}

function hasPassword(address: string): boolean {
  return (URL.parse(address)?.password ?? "") !== "";
}
