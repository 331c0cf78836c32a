/** Finds Codex's own files on this machine, and whether they apply within the boundary. */
import { join } from "node:path";
import { findSources, folderAndAncestors, type SourceCandidate } from "@bridle/host-shared";
import type { HostEnvironment, ImplicitSource } from "@bridle/protocol";
import { codexConfigFolder, loginFileOf } from "../home/private-home.ts";
import type { CodexAuthMode } from "../options.ts";

export interface CodexSourcesQuery {
  projectDir: string;
  environment: HostEnvironment;
  /** The auth mode. A stored login applies only to `session`. */
  auth: CodexAuthMode;
  /** The folder that contains an administrator's settings. Default: the folder that Codex reads on this system. */
  managedDir?: string | undefined;
}

const instructionNames = ["AGENTS.override.md", "AGENTS.md"];
const settingNames = ["config.toml", "hooks.json"];
const managedNames = ["config.toml", "managed_config.toml", "requirements.toml"];

/** Returns every file that exists: the user's, the project's at every level, the administrator's, and the login. */
export function findCodexSources({
  projectDir,
  environment,
  auth,
  managedDir = defaultManagedDir(),
}: CodexSourcesQuery): Promise<ImplicitSource[]> {
  const home = codexConfigFolder(environment);
  const levels = folderAndAncestors(projectDir);
  return findSources([
    ...keptOut("instructions", [home, ...levels], instructionNames),
    ...keptOut("instructions", [join(home, "memories")], ["memory_summary.md", "MEMORY.md"]),
    ...keptOut("settings", [home, ...levels.map((level) => join(level, ".codex"))], settingNames),
    ...managedNames.map((name) => ({ kind: "managed-settings" as const, path: join(managedDir, name), ...managed })),
    { kind: "auth", path: loginFileOf(environment), inForce: auth === "session", detail: "a login is stored here" },
  ]);
}

const managed = {
  inForce: true,
  detail: "set by this machine's administrator; a run fails if it adds a text, a tool or a process",
};

function keptOut(
  kind: SourceCandidate["kind"],
  folders: readonly string[],
  names: readonly string[],
): SourceCandidate[] {
  const paths = new Set(folders.flatMap((folder) => names.map((name) => join(folder, name))));
  return [...paths].map((path) => ({ kind, path, inForce: false }));
}

function defaultManagedDir(): string {
  if (process.platform === "win32") return join(process.env.ProgramData ?? "C:\\ProgramData", "OpenAI", "Codex");
  return "/etc/codex";
}
