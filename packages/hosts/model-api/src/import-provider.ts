import { importOptional } from "@bridle/core";
import { ConfigError } from "@bridle/protocol";

/**
 * Imports the AI SDK's package of a host. These packages are optional, since most programs use one of them at most.
 * Throws ConfigError with the command that installs the package.
 */
export function importProvider<T>(backend: string, name: `@ai-sdk/${string}`, load: () => Promise<T>): Promise<T> {
  return importOptional(
    [name],
    load,
    (problem, cause) => new ConfigError(`The backend ${backend} ${problem}`, { cause }),
  );
}
