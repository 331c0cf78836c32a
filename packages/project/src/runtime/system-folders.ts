import { isAbsolute, join } from "node:path";
import type { Environment } from "../config/variables.ts";
import { bridleFolder, namespaceFolders } from "../namespace/folders.ts";
import type { Settings } from "../settings/settings.ts";

/**
 * Where Bridle keeps what has to be known after a process has ended: `$XDG_STATE_HOME/bridle`, else the usual folder of
 * the system. Nothing if the environment names no home: then nothing is kept.
 */
export function stateFolder(environment: Environment, platform: string = process.platform): string | undefined {
  const { XDG_STATE_HOME: xdg, LOCALAPPDATA: windows } = environment;
  return systemFolder(environment, platform, { xdg, windows, profile: "Local", home: [".local", "state"] });
}

/** Where the user's own settings are kept: `$XDG_CONFIG_HOME/bridle`, else the usual folder of the system. */
export function configFolder(environment: Environment, platform: string = process.platform): string | undefined {
  const { XDG_CONFIG_HOME: xdg, APPDATA: windows } = environment;
  return systemFolder(environment, platform, { xdg, windows, profile: "Roaming", home: [".config"] });
}

interface Usual {
  /** What the environment names for all systems, and for Windows. */
  readonly xdg: string | undefined;
  readonly windows: string | undefined;
  /** Where it is else: below `AppData` of a profile on Windows, and below a home on other systems. */
  readonly profile: string;
  readonly home: readonly string[];
}

function systemFolder({ HOME, USERPROFILE }: Environment, platform: string, usual: Usual): string | undefined {
  if (usual.xdg && isAbsolute(usual.xdg)) return join(usual.xdg, "bridle"); // a relative one is to be ignored: XDG Base Directory 0.8
  if (platform === "win32") {
    const folder = usual.windows || (USERPROFILE && join(USERPROFILE, "AppData", usual.profile));
    return folder ? join(folder, "bridle") : undefined;
  }
  if (!HOME) return undefined;
  return platform === "darwin"
    ? join(HOME, "Library", "Application Support", "bridle")
    : join(HOME, ...usual.home, "bridle");
}

/** Where used-up usage windows are on record: for all of a user's projects together, and for each namespace alone. */
export function limitsFolder(settings: Pick<Settings, "projectDir" | "namespace" | "environment">): string | undefined {
  if (settings.namespace !== undefined) return namespaceFolders(bridleFolder(settings)).limits;
  const folder = stateFolder(settings.environment);
  return folder === undefined ? undefined : join(folder, "limits");
}
