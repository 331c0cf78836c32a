import { resolve } from "node:path";
import { readTextFileSync } from "@bridle/core";
import { ConfigError, suggestion, systemErrorCode } from "@bridle/protocol";
import { type ClaudeCodeSettings, effortIsHonoured, thinkingIsHonoured } from "../settings/host-settings.ts";
import type { ClaudeConfig } from "./claude-config.ts";

interface SettingsSurroundings {
  readonly model: string;
  readonly baseDir: string;
  /** The names of all tools of the agent: the agent file's and the host's. */
  readonly offered: readonly string[];
  /** Whether the agent has further tools, whose names are not known yet. */
  readonly hasUnknownTools: boolean;
  readonly workingDirectory?: string;
}

const defaultBudget = 10_000;

/** Returns the block's settings as backend settings, and warnings about settings that the model cannot follow. */
export function hostSettingsOf(
  config: ClaudeConfig,
  around: SettingsSurroundings,
): { hostSettings: ClaudeCodeSettings; warnings: string[] } {
  const { effort, fallback_model: fallbackModel } = config;
  const { model, workingDirectory } = around;
  const thinking = thinkingOf(config);
  const isThinking = thinking !== undefined && thinkingIsHonoured(model, thinking);
  const isEffort = effort !== undefined && effortIsHonoured(model);
  const agents = agentsOf(config, around);
  const settingSources = sourcesOf(config);
  return {
    hostSettings: {
      ...(isEffort && { effort }),
      ...(isThinking && { thinking }),
      ...(fallbackModel !== undefined && { fallbackModel }),
      ...(workingDirectory !== undefined && { workingDirectory }),
      ...(agents && { agents }),
      ...(settingSources.length > 0 && { settingSources }),
    },
    warnings: [
      ...(thinking !== undefined && !isThinking ? [noThinking(model)] : []),
      ...(effort !== undefined && !isEffort ? [noEffort(model)] : []),
      ...(Object.keys(config.agents ?? {}).length > 0 && !agents ? [noAgents] : []),
    ],
  };
}

function thinkingOf({ extended_thinking: given }: ClaudeConfig): ClaudeCodeSettings["thinking"] {
  if (given === undefined) return undefined;
  return given.enabled ? { budgetTokens: given.budget_tokens ?? defaultBudget } : false;
}

const noThinking = (model: string) =>
  `claude.extended_thinking has no effect: the model ${model} decides by itself how much it thinks. Use claude.effort.`;
const noAgents =
  "claude.agents has no effect: allowed_tools or disallowed_tools leaves out the tool Agent, which the model needs to call them. Offer Agent, or remove agents.";
const noEffort = (model: string) =>
  `claude.effort has no effect: the model ${model} does not support it. Use claude.extended_thinking, or a newer model.`;

function sourcesOf({ setting_sources: given = [] }: ClaudeConfig): NonNullable<ClaudeCodeSettings["settingSources"]> {
  if (given.includes("all")) return ["user", "project", "local"];
  return [...new Set(given.filter((source) => source !== "all"))];
}

function agentsOf({ agents }: ClaudeConfig, around: SettingsSurroundings): ClaudeCodeSettings["agents"] {
  if (agents === undefined || Object.keys(agents).length === 0) return undefined;
  if (!around.offered.includes("Agent")) return undefined; // the tool was removed by name
  const entries = Object.entries(agents).map(([name, { description, prompt, prompt_file, tools, model }]) => {
    for (const tool of tools ?? []) requireOffered(tool, name, around);
    return [
      name,
      {
        description,
        prompt: prompt ?? readPrompt(prompt_file ?? "", name, around.baseDir),
        ...(tools && { tools }),
        ...(model !== undefined && { model }),
      },
    ] as const;
  });
  return Object.fromEntries(entries);
}

function requireOffered(
  tool: string,
  agent: string,
  { offered, hasUnknownTools }: Pick<SettingsSurroundings, "offered" | "hasUnknownTools">,
): void {
  if (tool === "Agent") {
    throw refuse(agent, "tools", "names Agent: a subagent starts no others. Leave it out.");
  }
  if (hasUnknownTools || offered.includes(tool)) return;
  throw refuse(agent, "tools", `names the tool "${tool}", which the agent does not have.${suggestion(tool, offered)}`);
}

function readPrompt(path: string, agent: string, baseDir: string): string {
  const text = read(resolve(baseDir, path), (cause) =>
    refuse(agent, "prompt_file", `is ${path}, which cannot be read: ${cause}. Correct the path.`),
  ).trim();
  if (text === "") throw refuse(agent, "prompt_file", `is ${path}, which is empty. Write its instructions.`);
  return text;
}

function read(path: string, refusal: (cause: string) => ConfigError): string {
  try {
    return readTextFileSync(path);
  } catch (cause) {
    throw refusal(systemErrorCode(cause));
  }
}

function refuse(agent: string, key: string, problem: string): ConfigError {
  const field = `claude.agents.${agent}.${key}`;
  return new ConfigError(`${field} ${problem}`, { field });
}
