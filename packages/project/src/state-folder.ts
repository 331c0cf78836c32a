import { isAbsolute, join } from "node:path";
import type { Environment } from "./config/variables.ts";

/**
 * Where Bridle keeps what has to be known after a process has ended: `$XDG_STATE_HOME/bridle`, else the usual folder of
 * the system. Nothing where the environment names no home: then nothing is kept.
 */
export function stateFolder(environment: Environment, platform: string = process.platform): string | undefined {
  const { XDG_STATE_HOME, HOME, USERPROFILE, LOCALAPPDATA } = environment;
  if (XDG_STATE_HOME && isAbsolute(XDG_STATE_HOME)) return join(XDG_STATE_HOME, "bridle"); // a relative one is to be ignored: XDG Base Directory 0.8
  if (platform === "win32") {
    const local = LOCALAPPDATA || (USERPROFILE && join(USERPROFILE, "AppData", "Local"));
    return local ? join(local, "bridle") : undefined;
  }
  if (!HOME) return undefined;
  return platform === "darwin"
    ? join(HOME, "Library", "Application Support", "bridle")
    : join(HOME, ".local", "state", "bridle");
}

/** Where used-up usage windows are on record. */
export function limitsFolder(environment: Environment): string | undefined {
  const folder = stateFolder(environment);
  return folder === undefined ? undefined : join(folder, "limits");
}
