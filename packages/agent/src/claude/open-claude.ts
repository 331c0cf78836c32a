import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { PolicyModeName, ToolRule } from "@bridle/core";
import type { Environment } from "@bridle/project";
import { ConfigError, type HostSettings, suggestion } from "@bridle/protocol";
import type { ClaudeConfig } from "./claude-config.ts";
import { hostSettingsOf } from "./host-settings.ts";
import { openedTools } from "./opened-host-tools.ts";
import { settingWarnings } from "./setting-warnings.ts";

/** What an agent's `claude` block comes to, in the words of requests and rules. */
export interface ClaudeParts {
  /** The host's own tools that are opened. */
  readonly builtins: readonly string[];
  /** Whether a tool of the agent's is offered. */
  offers(tool: string): boolean;
  readonly hostSettings: HostSettings;
  readonly stepBudget?: number;
  readonly maxCostUsd?: number;
  readonly mode?: PolicyModeName;
  /** They follow the agent's own rules, which count first. */
  readonly rules: readonly ToolRule[];
  /** What is otherwise than the file says, and what reaches further than the rules, in sentences. */
  readonly warnings: readonly string[];
}

export interface ClaudeSurroundings {
  /** The id of the backend that the agent runs on. */
  readonly backend: string;
  readonly model: string;
  /** The names of the agent's own tools. */
  readonly tools: readonly string[];
  /** Of the agent's `policy`, where it has one. */
  readonly policyMode?: PolicyModeName | undefined;
  readonly baseDir: string;
  readonly projectDir: string;
  readonly environment: Environment;
}

const modes = { manual: "normal", acceptEdits: "normal", acceptAll: "yolo" } as const;

/**
 * What a `claude` block opens and sets. Throws ConfigError for another backend, for two modes, and for a tool, a file or
 * a folder that is not there.
 */
export async function openClaude(config: ClaudeConfig, around: ClaudeSurroundings): Promise<ClaudeParts> {
  const { backend, model, tools } = around;
  if (backend !== "claude-code") {
    const message = `The block claude is for Claude Code, and this agent runs on ${backend}. Remove it, or choose the provider claude-code.`;
    throw new ConfigError(message, { field: "claude" });
  }
  const opened = openedTools(config);
  const isOffered = narrowing(config, [...tools, ...opened]);
  const builtins = opened.filter(isOffered);
  const workingDirectory = folderOf(config, around.baseDir);
  const { hostSettings, warnings } = hostSettingsOf(config, {
    ...{ model, baseDir: around.baseDir, offered: [...tools, ...opened].filter(isOffered) },
    ...(workingDirectory !== undefined && { workingDirectory }),
  });
  const place = { projectDir: workingDirectory ?? around.projectDir, environment: around.environment };
  return {
    ...{ builtins, hostSettings, offers: isOffered },
    rules: rulesOf(config, builtins),
    warnings: [...warnings, ...(await settingWarnings(hostSettings.settingSources ?? [], place))],
    ...(config.max_turns !== undefined && { stepBudget: config.max_turns }),
    ...(config.max_budget_usd !== undefined && { maxCostUsd: config.max_budget_usd }),
    ...(config.permission_mode && { mode: modeOf(config.permission_mode, around) }),
  };
}

/** Whether a name is one of those that `allowed_tools` and `disallowed_tools` leave. */
function narrowing({ allowed_tools, disallowed_tools = [] }: ClaudeConfig, known: readonly string[]) {
  for (const name of allowed_tools ?? []) requireKnown(name, "allowed_tools", known);
  for (const name of disallowed_tools) requireKnown(name, "disallowed_tools", known);
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

function modeOf(mode: keyof typeof modes, { policyMode }: ClaudeSurroundings): PolicyModeName {
  if (policyMode === undefined) return modes[mode];
  const message = `claude.permission_mode is ${mode}, and policy.mode is ${policyMode}. Keep one of them.`;
  throw new ConfigError(message, { field: "claude.permission_mode" });
}

function rulesOf({ permission_mode }: ClaudeConfig, builtins: readonly string[]): ToolRule[] {
  if (permission_mode !== "acceptEdits") return [];
  return ["Write", "Edit"].filter((tool) => builtins.includes(tool)).map((tool) => ({ tool, then: "allow" }));
}

function folderOf({ working_directory: path }: ClaudeConfig, baseDir: string): string | undefined {
  if (path === undefined) return undefined;
  const folder = resolve(baseDir, path);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return folder;
  throw new ConfigError(`claude.working_directory is ${path}, which is no folder. Make it, or correct the path.`, {
    field: "claude.working_directory",
  });
}
