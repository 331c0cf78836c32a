import { importOptional } from "@bridle/core";
import { ConfigError } from "@bridle/protocol";

/**
 * Imports the AI SDK package of a host. These packages are optional, because most programs use at most one of them. If the package is
 * missing, throws a ConfigError with the command that installs it.
 */
export function importProvider<T>(backend: string, name: `@ai-sdk/${string}`, load: () => Promise<T>): Promise<T> {
  return importOptional(
    [name],
    load,
    (problem, cause) => new ConfigError(`The backend ${backend} ${problem}`, { cause }),
  );
}
