/** The whole environment of the runtime's process. */
import { join } from "node:path";
import { machineVariables } from "@bridle/host-shared";
import type { HostEnvironment } from "@bridle/protocol";

/** The runtime's own folders, all private and empty when it starts. */
export interface RuntimeFolders {
  readonly root: string;
  /** Its settings and sessions (`COPILOT_HOME`). */
  readonly base: string;
  readonly home: string;
  readonly work: string;
  readonly temporary: string;
  /** The only folder on its PATH: it starts no program of this machine, such as `gh` or `git`. */
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

/** Where the runtime sends a login. Without it, the login goes to github.com, regardless of its origin. */
const gitHubVariable = "COPILOT_GH_HOST";

/** Variables that locate the user's files and folders. */
const userPlaces = /^(XDG_.*|HOME|HOMEDRIVE|HOMEPATH|USERPROFILE|APPDATA|LOCALAPPDATA|TMPDIR|TMP|TEMP|PATH)$/i;

/**
 * Variables of the machine, with all places of the user replaced by private folders. Credentials and settings, such as
 * `GH_TOKEN`, `COPILOT_*` and `OPENAI_API_KEY`, are not among them. `gitHub` is the address of the login's GitHub.
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
