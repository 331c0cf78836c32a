import { isAbsolute, join } from "node:path";
import type { Environment } from "../config/variables.ts";

/**
 * Returns the folder for state that outlives a process: `$XDG_STATE_HOME/bridle`, else the usual folder of the system. Undefined if the
 * environment has no home; then no state is stored there.
 */
export function stateFolder(environment: Environment, platform: string = process.platform): string | undefined {
  const { XDG_STATE_HOME: xdg, LOCALAPPDATA: windows } = environment;
  return systemFolder(environment, platform, { xdg, windows, profile: "Local", home: [".local", "state"] });
}

/** Returns the folder of the user's settings: `$XDG_CONFIG_HOME/bridle`, else the usual folder of the system. */
export function configFolder(environment: Environment, platform: string = process.platform): string | undefined {
  const { XDG_CONFIG_HOME: xdg, APPDATA: windows } = environment;
  return systemFolder(environment, platform, { xdg, windows, profile: "Roaming", home: [".config"] });
}

interface Usual {
  /** The folder that an XDG variable sets on any system. */
  readonly xdg: string | undefined;
  readonly windows: string | undefined;
  /** The folder below `AppData` on Windows. `home` is the path below the home on other systems. */
  readonly profile: string;
  readonly home: readonly string[];
}

function systemFolder({ HOME, USERPROFILE }: Environment, platform: string, usual: Usual): string | undefined {
  if (usual.xdg && isAbsolute(usual.xdg)) return join(usual.xdg, "bridle"); // the XDG Base Directory Specification 0.8 ignores relative paths
  if (platform === "win32") {
    const folder = usual.windows || (USERPROFILE && join(USERPROFILE, "AppData", usual.profile));
    return folder ? join(folder, "bridle") : undefined;
  }
  if (!HOME) return undefined;
  return platform === "darwin"
    ? join(HOME, "Library", "Application Support", "bridle")
    : join(HOME, ...usual.home, "bridle");
}
