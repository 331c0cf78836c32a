import { statSync } from "node:fs";
import { resolve } from "node:path";
import { type AgentBlockContext, ConfigError, type OpenedAgentBlock, suggestion } from "@bridle/protocol";
import { hostSettingsOf } from "./block-settings.ts";
import type { ClaudeConfig } from "./claude-config.ts";
import { openedTools } from "./opened-host-tools.ts";
import { settingWarnings } from "./setting-warnings.ts";

const modes = { manual: "normal", acceptEdits: "normal", acceptAll: "yolo" } as const;

/**
 * Reads the tools and settings that a `claude` block opens. Throws ConfigError if both the block and the policy set a mode, or if a tool, a
 * file or a folder does not exist.
 */
export async function openClaude(config: ClaudeConfig, around: AgentBlockContext): Promise<OpenedAgentBlock> {
  const { model, tools } = around;
  const opened = openedTools(config);
  const isOffered = narrowing(config, [...tools, ...opened], around);
  const builtins = opened.filter(isOffered);
  const workingDirectory = folderOf(config, around.baseDir);
  const { hostSettings, warnings } = hostSettingsOf(config, {
    model,
    baseDir: around.baseDir,
    offered: [...tools, ...opened].filter(isOffered),
    hasUnknownTools: around.hasUnknownTools ?? false,
    ...(workingDirectory !== undefined && { workingDirectory }),
  });
  const place = { projectDir: workingDirectory ?? around.projectDir, environment: around.environment };
  return {
    builtins,
    hostSettings,
    offers: isOffered,
    rules: rulesOf(config, builtins),
    warnings: [...warnings, ...(await settingWarnings(hostSettings.settingSources ?? [], place))],
    ...(config.max_turns !== undefined && { stepBudget: config.max_turns }),
    ...(config.max_budget_usd !== undefined && { maxCostUsd: config.max_budget_usd }),
    ...(config.permission_mode && { mode: modeOf(config.permission_mode, around) }),
  };
}

/** Returns a function that tells whether `allowed_tools` and `disallowed_tools` permit a name. */
function narrowing(
  { allowed_tools, disallowed_tools = [] }: ClaudeConfig,
  known: readonly string[],
  { hasUnknownTools = false }: Pick<AgentBlockContext, "hasUnknownTools">,
) {
  if (!hasUnknownTools) {
    for (const name of allowed_tools ?? []) requireKnown(name, "allowed_tools", known);
    for (const name of disallowed_tools) requireKnown(name, "disallowed_tools", known);
  }
  return (name: string) => (allowed_tools?.includes(name) ?? true) && !disallowed_tools.includes(name);
}

function requireKnown(name: string, key: string, known: readonly string[]): void {
  if (known.includes(name)) return;
  const there = known.length === 0 ? "there is none." : `there is ${known.join(", ")}.`;
  const hint =
    suggestion(name, known).trim() ||
    `The agent's tools and those that bash, file_system, web_search and agents open: ${there}`;
  throw new ConfigError(`claude.${key} names the tool "${name}", which is not opened. ${hint}`, {
    field: `claude.${key}`,
  });
}

function modeOf(mode: keyof typeof modes, { policyMode }: AgentBlockContext): NonNullable<OpenedAgentBlock["mode"]> {
  if (policyMode === undefined) return modes[mode];
  const message = `claude.permission_mode is ${mode}, and policy.mode is ${policyMode}. Keep one of them.`;
  throw new ConfigError(message, { field: "claude.permission_mode" });
}

function rulesOf({ permission_mode }: ClaudeConfig, builtins: readonly string[]): OpenedAgentBlock["rules"] {
  if (permission_mode !== "acceptEdits") return [];
  return ["Write", "Edit"].filter((tool) => builtins.includes(tool)).map((tool) => ({ tool, then: "allow" }));
}

function folderOf({ working_directory: path }: ClaudeConfig, baseDir: string): string | undefined {
  if (path === undefined) return undefined;
  const folder = resolve(baseDir, path);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return folder;
  throw new ConfigError(`claude.working_directory is ${path}, which is not a folder. Create it, or correct the path.`, {
    field: "claude.working_directory",
  });
}
