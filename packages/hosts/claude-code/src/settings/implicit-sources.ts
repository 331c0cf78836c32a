/**
 * Finds the host's own files on this machine, and whether they apply within the boundary. Only hashes reach the event
 * log: never contents, and never credentials in any form.
 */
import { readdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { readRegularFile, sha256 } from "@bridle/core";
import { type ImplicitSource, omitUndefined } from "@bridle/protocol";
import { claudeConfigFolder } from "../auth/account.ts";
import type { ClaudeAuthMode, ClaudeEnvironment } from "../options.ts";
import type { SettingSource } from "./host-settings.ts";

export interface ImplicitSourcesQuery {
  projectDir: string;
  environment: ClaudeEnvironment;
  /** A stored login applies only to `session`. */
  auth: ClaudeAuthMode;
  /** The layers that the caller opened. */
  settingSources?: readonly SettingSource[] | undefined;
  /** The folder for an administrator's policy. Default: the folder that the host reads on this system. */
  managedDir?: string | undefined;
}

/** A file that cannot be read, or has more bytes, is no source: the host could not use it either. */
const mostBytes = 100_000_000;

interface Candidate {
  kind: ImplicitSource["kind"];
  path: string;
  inForce: boolean;
  detail?: string | undefined;
}

/** Every implicit source that exists, in the host's order of precedence, lowest first. */
export async function findImplicitSources(query: ImplicitSourcesQuery): Promise<ImplicitSource[]> {
  const found = await Promise.all((await candidates(query)).map(inspect));
  return found.filter((source) => source !== undefined);
}

async function candidates({
  projectDir,
  environment,
  auth,
  settingSources = [],
  managedDir = defaultManagedDir(),
}: ImplicitSourcesQuery): Promise<Candidate[]> {
  const configDir = claudeConfigFolder(environment);
  const of = (source: SettingSource) => ({ inForce: settingSources.includes(source) });
  const managed = { inForce: true, detail: "set by this machine's administrator; always applies" };
  return [
    { kind: "instructions", path: join(configDir, "CLAUDE.md"), ...of("user") },
    ...ancestors(projectDir).flatMap((folder) => instructionFiles(folder, of)),
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

async function inspect({ kind, path, inForce, detail }: Candidate): Promise<ImplicitSource | undefined> {
  const source = omitUndefined({ kind, path, inForce, detail });
  try {
    if (kind === "auth") return (await stat(path)).isFile() ? source : undefined;
    return { ...source, sha256: sha256(await readRegularFile(path, mostBytes)) };
  } catch {
    return undefined;
  }
}

function instructionFiles(folder: string, of: (source: SettingSource) => { inForce: boolean }): Candidate[] {
  const named = [
    { name: "CLAUDE.md", source: "project" },
    { name: "CLAUDE.local.md", source: "local" },
    { name: join(".claude", "CLAUDE.md"), source: "project" },
  ] as const;
  return named.map(({ name, source }) => ({ kind: "instructions", path: join(folder, name), ...of(source) }));
}

/** The folder's ancestors from the root down, itself last. */
function ancestors(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [...ancestors(parent), folder];
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
