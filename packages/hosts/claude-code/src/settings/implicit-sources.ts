/** Finds the host's own files on this machine, and whether they apply within the boundary. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { findSources, folderAndAncestors, type SourceCandidate } from "@bridle/host-shared";
import type { ImplicitSource } from "@bridle/protocol";
import { claudeConfigFolder } from "../auth/account.ts";
import type { ClaudeAuthMode, ClaudeEnvironment } from "../options.ts";
import type { SettingSource } from "./host-settings.ts";

export interface ImplicitSourcesQuery {
  projectDir: string;
  environment: ClaudeEnvironment;
  /** The auth mode. A stored login applies only to `session`. */
  auth: ClaudeAuthMode;
  /** The layers that the caller opened. */
  settingSources?: readonly SettingSource[] | undefined;
  /** The folder that contains an administrator's policy. Default: the folder that the host reads on this system. */
  managedDir?: string | undefined;
}

/** Lists every implicit source that exists, in the host's order of precedence, lowest first. */
export async function findImplicitSources(query: ImplicitSourcesQuery): Promise<ImplicitSource[]> {
  return findSources(await candidates(query));
}

async function candidates({
  projectDir,
  environment,
  auth,
  settingSources = [],
  managedDir = defaultManagedDir(),
}: ImplicitSourcesQuery): Promise<SourceCandidate[]> {
  const configDir = claudeConfigFolder(environment);
  const of = (source: SettingSource) => ({ inForce: settingSources.includes(source) });
  const managed = { inForce: true, detail: "set by this machine's administrator; always applies" };
  return [
    { kind: "instructions", path: join(configDir, "CLAUDE.md"), ...of("user") },
    ...folderAndAncestors(projectDir).flatMap((folder) => instructionFiles(folder, of)),
    { kind: "settings", path: join(configDir, "settings.json"), ...of("user") },
    { kind: "settings", path: join(projectDir, ".claude", "settings.json"), ...of("project") },
    { kind: "settings", path: join(projectDir, ".claude", "settings.local.json"), ...of("local") },
    { kind: "managed-instructions", path: join(managedDir, "CLAUDE.md"), ...managed },
    { kind: "managed-settings", path: join(configDir, "remote-settings.json"), ...managed },
    { kind: "managed-settings", path: join(managedDir, "managed-settings.json"), ...managed },
    ...(await dropIns(join(managedDir, "managed-settings.d"))).map((path) => ({
      kind: "managed-settings" as const,
      path,
      ...managed,
    })),
    {
      kind: "auth",
      path: join(configDir, ".credentials.json"),
      inForce: auth === "session",
      detail: "a login is stored here",
    },
  ];
}

function instructionFiles(folder: string, of: (source: SettingSource) => { inForce: boolean }): SourceCandidate[] {
  const named = [
    { name: "CLAUDE.md", source: "project" },
    { name: "CLAUDE.local.md", source: "local" },
    { name: join(".claude", "CLAUDE.md"), source: "project" },
  ] as const;
  return named.map(({ name, source }) => ({ kind: "instructions", path: join(folder, name), ...of(source) }));
}

async function dropIns(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder))
      .filter((name) => name.endsWith(".json"))
      .sort()
      .map((name) => join(folder, name));
  } catch {
    return [];
  }
}

function defaultManagedDir(): string {
  if (process.platform === "darwin") return "/Library/Application Support/ClaudeCode";
  if (process.platform === "win32") return "C:\\Program Files\\ClaudeCode";
  return "/etc/claude-code";
}
