import { relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { ConfigError, isBridleError } from "@bridle/protocol";
import { explainFailure } from "./explain-failure.ts";
import { requireModuleFile } from "./require-module-file.ts";
import type { UserModule } from "./user-module.ts";

export interface LoadModuleOptions {
  /** Registers a listener for uncaught errors, and returns a function that removes it. Default: no listener. */
  onFault?(listener: (error: unknown) => void): () => void;
  /** Folders of the loading program. Errors never name a position in these folders. */
  ownFolders?: readonly string[];
  /** The time limit for loading, in milliseconds. Default: none, but loading fails if nothing is left to wait for. */
  timeoutMs?: number;
}

/**
 * Loads a TypeScript or JavaScript module as Node.js does, without a build step. Throws ConfigError with the file, the
 * position and a remedy if the module is missing, cannot be read, throws, or never finishes loading.
 */
export async function loadUserModule(module: UserModule, options: LoadModuleOptions = {}): Promise<object> {
  const path = resolve(module.baseDir, module.file);
  requireModuleFile(module, path);
  const failed = Promise.withResolvers<never>();
  const stop = watchLoading(failed.reject, module, options);
  try {
    return await Promise.race([import(pathToFileURL(path).href), failed.promise]);
  } catch (cause) {
    throw isBridleError(cause) ? cause : loadingFailed(cause, path, module, options);
  } finally {
    stop();
  }
}

/** Creates an error about a module, with its file as the position. */
export function refuseModule({ file, field }: UserModule, message: string, cause?: unknown): ConfigError {
  return new ConfigError(message, { position: { file }, field, cause });
}

/** Rejects if an uncaught error occurs, if nothing is left to wait for, or after the timeout. */
function watchLoading(
  reject: (error: unknown) => void,
  module: UserModule,
  { onFault, timeoutMs }: LoadModuleOptions,
): () => void {
  const giveUp = () => reject(refuseModule(module, `the module never finishes loading: ${unsettled}`));
  const dispose = onFault?.(reject);
  process.once("beforeExit", giveUp);
  const timer = timeoutMs === undefined ? undefined : setTimeout(giveUp, timeoutMs).unref(); // otherwise the timer itself would keep the process alive
  return () => {
    clearTimeout(timer);
    process.off("beforeExit", giveUp);
    dispose?.();
  };
}

const unsettled = "its top level awaits a promise that never settles. Await it in a tool, or remove it.";

function loadingFailed(cause: unknown, path: string, module: UserModule, options: LoadModuleOptions): ConfigError {
  const { position: found, message } = explainFailure(cause, path, [
    import.meta.dirname,
    ...(options.ownFolders ?? []),
  ]);
  const file = found && found.path !== path ? relative(module.baseDir, found.path) : module.file;
  const position = { ...found, file };
  return new ConfigError(`${message} Correct it, and run again.`, { position, field: module.field, cause });
}
