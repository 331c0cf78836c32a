import { relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { ConfigError, isBridleError } from "@bridle/protocol";
import { explainFailure } from "./explain-failure.ts";
import { requireModuleFile } from "./require-module-file.ts";
import type { UserModule } from "./user-module.ts";

export interface LoadModuleOptions {
  /** Called with what rejects errors that nobody caught; returns what ends that. Default: nobody listens. */
  onFault?(listener: (error: unknown) => void): () => void;
  /** Folders of the program itself, in which no fault of the module is. */
  ownFolders?: readonly string[];
  /** Milliseconds that loading may take. Default: no limit, as long as there is something to wait for. */
  timeoutMs?: number;
}

/**
 * Loads a TypeScript or JavaScript module as Node does: no build step. Throws ConfigError, naming the file, the place and
 * the way out, for a module that is missing, cannot be read, throws, or never finishes.
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

/** The error about a module, which is at its beginning. */
export function refuseModule({ file, field }: UserModule, message: string, cause?: unknown): ConfigError {
  return new ConfigError(message, { position: { file }, field, cause });
}

/** What can end loading from outside: an error that nobody caught, nothing left to wait for, and time. */
function watchLoading(
  reject: (error: unknown) => void,
  module: UserModule,
  { onFault, timeoutMs }: LoadModuleOptions,
): () => void {
  const giveUp = () => reject(refuseModule(module, `the module never finishes loading: ${unsettled}`));
  const dispose = onFault?.(reject);
  process.once("beforeExit", giveUp);
  const timer = timeoutMs === undefined ? undefined : setTimeout(giveUp, timeoutMs).unref(); // else nothing is ever idle
  return () => {
    clearTimeout(timer);
    process.off("beforeExit", giveUp);
    dispose?.();
  };
}

const unsettled = "it awaits at its top level what never comes. Await that in a tool, or leave it out.";

function loadingFailed(cause: unknown, path: string, module: UserModule, options: LoadModuleOptions): ConfigError {
  const { place, message } = explainFailure(cause, path, [import.meta.dirname, ...(options.ownFolders ?? [])]);
  const file = place && place.path !== path ? relative(module.baseDir, place.path) : module.file;
  const position = { ...place, file };
  return new ConfigError(`${message} Mend it and run again.`, { position, field: module.field, cause });
}
