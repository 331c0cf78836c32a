/**
 * Layers of Claude Code's settings that a caller opens. Their CLAUDE.md and hooks are what is opened; what would decide
 * who pays, where requests go, who answers, or switch our gate off is refused, whatever it says.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { ConfigError, isPlainObject } from "@bridle/protocol";
import { configFolder } from "../auth/account.ts";
import type { Environment } from "../options.ts";
import type { SettingSource } from "./host-settings.ts";

/** Keys of a settings file, and why they are refused where they say something. */
const refusedKeys: Readonly<Record<string, string>> = {
  env: "hands variables to the host past its allow-list",
  apiKeyHelper: "decides who pays",
  awsAuthRefresh: "decides who pays",
  awsCredentialExport: "decides who pays",
  gcpAuthRefresh: "decides who pays",
  proxyAuthHelper: "decides where requests go",
  fallbackModel: "decides which model answers",
  agent: "puts another prompt and other tools in the place of yours",
  disableAllHooks: "switches off the gate that every call passes",
  enabledPlugins: "loads plugins, which are not opened",
};

export interface OpenedSettings {
  sources: readonly SettingSource[];
  projectDir: string;
  environment: Environment;
}

/** The settings file of each layer. */
function settingsFile(source: SettingSource, { projectDir, environment }: Omit<OpenedSettings, "sources">): string {
  if (source === "user") return join(configFolder(environment), "settings.json");
  return join(projectDir, ".claude", source === "project" ? "settings.json" : "settings.local.json");
}

/** Throws ConfigError for a file that breaks the boundary or cannot be read; one that is not there is no fault. */
export async function requireHarmless({ sources, ...place }: OpenedSettings): Promise<void> {
  for (const source of sources) {
    const path = settingsFile(source, place);
    const settings = await readSettings(path);
    const key = Object.keys(refusedKeys).find((name) => saysSomething(settings[name]));
    if (key === undefined) continue;
    throw new ConfigError(
      `The setting source "${source}" cannot be opened: "${key}" in ${path} ${refusedKeys[key]}. Remove it there, or leave the source out.`,
      { field: "settingSources" },
    );
  }
}

async function readSettings(path: string): Promise<Record<string, unknown>> {
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return "{}";
    throw unreadable(path, error);
  });
  try {
    const settings: unknown = JSON.parse(text);
    return isPlainObject(settings) ? settings : {};
  } catch (error) {
    throw unreadable(path, error);
  }
}

function unreadable(path: string, cause: unknown): ConfigError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new ConfigError(`The settings file ${path} cannot be read: ${reason}. Mend it, or leave its source out.`, {
    field: "settingSources",
    cause,
  });
}

function saysSomething(value: unknown): boolean {
  if (isPlainObject(value)) return Object.values(value).some((each) => each !== false);
  return value !== undefined && value !== null && value !== false && value !== "";
}
