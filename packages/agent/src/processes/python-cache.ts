/** Decides where Python programs that Bridle starts keep compiled modules. */
import { devNull } from "node:os";
import { join } from "node:path";
import { makeFolders } from "@bridle/core";
import { type Environment, stateFolder } from "@bridle/project";

/**
 * Returns the variable that moves compiled modules out of the project. Without it, Python would run a `__pycache__` that came with a
 * project in place of the code that the user trusted, and a new cache file in the project would look like changed code. If there is no
 * folder for the user's cache, Python keeps none.
 */
export function pythonCache(environment: Environment): Environment {
  return { PYTHONPYCACHEPREFIX: privateFolder(environment) ?? devNull };
}

function privateFolder(environment: Environment): string | undefined {
  const state = stateFolder(environment);
  if (state === undefined) return undefined;
  const folder = join(state, "compiled-python");
  try {
    makeFolders(folder);
    return folder;
  } catch {
    return undefined;
  }
}
