/** Creates the whole environment of the runtime's process. */
import { join } from "node:path";
import { machineVariables } from "@bridle/host-shared";
import type { HostEnvironment } from "@bridle/protocol";

/** The runtime's own folders, all private and empty when it starts. */
export interface RuntimeFolders {
  readonly root: string;
  /** The folder of its settings and sessions (`COPILOT_HOME`). */
  readonly base: string;
  readonly home: string;
  readonly work: string;
  readonly temporary: string;
  /** The only folder on its PATH, so that it starts no program of this machine, such as `gh` or `git`. */
  readonly programs: string;
}

export function runtimeFolders(root: string): RuntimeFolders {
  return {
    root,
    base: join(root, "copilot"),
    home: join(root, "home"),
    work: join(root, "work"),
    temporary: join(root, "tmp"),
    programs: join(root, "bin"),
  };
}

/** The variable with the address that the runtime sends a login to. Without it, every login is sent to github.com. */
const gitHubVariable = "COPILOT_GH_HOST";

/** Matches variables that locate the user's files and folders. */
const userPlaces = /^(XDG_.*|HOME|HOMEDRIVE|HOMEPATH|USERPROFILE|APPDATA|LOCALAPPDATA|TMPDIR|TMP|TEMP|PATH)$/i;

/**
 * Returns the machine's variables, with private folders instead of the user's folders. Leaves out credentials and settings, such as
 * `GH_TOKEN`, `COPILOT_*` and `OPENAI_API_KEY`. `gitHub` is the address of the GitHub that the login belongs to.
 */
export function runtimeEnvironment(
  environment: HostEnvironment,
  folders: RuntimeFolders,
  gitHub?: string,
): Record<string, string> {
  const machine = Object.entries(machineVariables(environment)).filter(([name]) => !userPlaces.test(name));
  const { home, temporary, programs } = folders;
  return {
    ...Object.fromEntries(machine),
    HOME: home,
    USERPROFILE: home,
    APPDATA: home,
    LOCALAPPDATA: home,
    TMPDIR: temporary,
    TMP: temporary,
    TEMP: temporary,
    PATH: programs,
    ...(gitHub === undefined ? {} : { [gitHubVariable]: gitHub }),
  };
}
