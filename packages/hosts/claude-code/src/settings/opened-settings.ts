/**
 * Checks the layers of Claude Code's settings that a caller opens. Opening a layer loads its CLAUDE.md and its hooks. Keys that determine
 * who pays, where requests are sent or which model is used, or that switch off our hook, are refused, whatever their value.
 */
import { join } from "node:path";
import { readTextFile } from "@bridle/core";
import { ConfigError, isPlainObject, systemErrorCode } from "@bridle/protocol";
import { claudeConfigFolder } from "../auth/account.ts";
import type { ClaudeEnvironment } from "../options.ts";
import type { SettingSource } from "./host-settings.ts";

/** Keys of a settings file that are refused if they are set, each with the reason. */
const refusedKeys: Readonly<Record<string, string>> = {
  env: "passes variables to the host that are not on its allow-list",
  apiKeyHelper: "decides who pays",
  awsAuthRefresh: "decides who pays",
  awsCredentialExport: "decides who pays",
  gcpAuthRefresh: "decides who pays",
  proxyAuthHelper: "decides the address of requests",
  fallbackModel: "decides which model answers",
  agent: "replaces your prompt and your tools",
  disableAllHooks: "switches off the hook that checks every call",
  enabledPlugins: "loads plugins, which cannot be opened",
};

export interface OpenedSettings {
  sources: readonly SettingSource[];
  projectDir: string;
  environment: ClaudeEnvironment;
}

/** Returns the settings file of each layer. */
function settingsFile(source: SettingSource, { projectDir, environment }: Omit<OpenedSettings, "sources">): string {
  if (source === "user") return join(claudeConfigFolder(environment), "settings.json");
  return join(projectDir, ".claude", source === "project" ? "settings.json" : "settings.local.json");
}

/** Throws ConfigError if a settings file contains refused keys or cannot be read. A missing file is fine. */
export async function assertSafeSettings({ sources, ...location }: OpenedSettings): Promise<void> {
  for (const source of sources) {
    const path = settingsFile(source, location);
    const settings = await readSettings(path);
    const key = Object.keys(refusedKeys).find((name) => isSet(settings[name]));
    if (key === undefined) continue;
    throw new ConfigError(
      `The setting source "${source}" cannot be opened: "${key}" in ${path} ${refusedKeys[key]}. Remove it there, or leave the source out.`,
      { field: "settingSources" },
    );
  }
}

async function readSettings(path: string): Promise<Record<string, unknown>> {
  const text = await readTextFile(path).catch((error: unknown) => {
    if (["ENOENT", "ENOTDIR"].includes(systemErrorCode(error))) return "{}";
    throw unreadableError(path, error);
  });
  try {
    const settings: unknown = JSON.parse(text);
    return isPlainObject(settings) ? settings : {};
  } catch (error) {
    throw unreadableError(path, error);
  }
}

function unreadableError(path: string, cause: unknown): ConfigError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new ConfigError(`The settings file ${path} cannot be read: ${reason}. Correct it, or leave its source out.`, {
    field: "settingSources",
    cause,
  });
}

function isSet(value: unknown): boolean {
  if (isPlainObject(value)) return Object.values(value).some((each) => each !== false);
  return value !== undefined && value !== null && value !== false && value !== "";
}
