/**
 * The boundary: nothing reaches the model, and nothing runs, unless the caller passes it.
 *
 * No other module creates options for the Agent SDK. Each option closes a hole that was observed on SDK 0.3.330 with Claude Code 2.1.330.
 * The boundary tests of `@bridle/project` remove each option and show that the hole opens.
 */
import { devNull } from "node:os";
import { delimiter } from "node:path";
import { type Options, type Settings, SYSTEM_PROMPT_DYNAMIC_BOUNDARY } from "@anthropic-ai/claude-agent-sdk";
import { readResultName } from "@bridle/core";
import { type ConversationSpec, omitUndefined, type TurnContext } from "@bridle/protocol";
import { type ClaudeCodeSettings, parseSettings } from "../settings/host-settings.ts";
import { toAgentDefinitions } from "../settings/subagents.ts";
import {
  builtinNames,
  builtinPlugins,
  currentName,
  hostToolName,
  serverName,
  structuredOutputName,
  subagentTool,
} from "../tools/tool-names.ts";
import type { ToolServer } from "../tools/tool-server.ts";
import { refusalOf, toolHook } from "./tool-hook.ts";

export interface HostParts {
  spec: ConversationSpec;
  environment: Record<string, string>;
  /** A folder with programs that replace the machine's own ones if no tool runs commands. */
  programs: string;
  tools: ToolServer;
  spawn: NonNullable<Options["spawnClaudeCodeProcess"]>;
  /** The file with the history to continue. Undefined for a new conversation. */
  historyFile?: string | undefined;
  /** Decides whether an opened host tool may run. */
  authorizeHostTool: TurnContext["authorizeHostTool"];
  /** Resolves when the host has reported in this conversation that it started as configured. Rejects if it did not. */
  verified(): Promise<void>;
}

/**
 * Tools that run commands, which may use git. Without them, only Claude Code itself starts git in the folder (observed
 * on 2.1.330).
 */
const commandTools = /^(?:Bash|PowerShell|Monitor|REPL|EnterWorktree|ExitWorktree)$/;

/** Returns all options that Claude Code gets for a conversation. */
export function hostOptions(parts: HostParts): Options {
  const { spec, environment, tools, spawn, historyFile } = parts;
  const { settingSources = [] } = parseSettings(spec);
  const opened = spec.builtins.map(currentName);
  const runsCommands = settingSources.length > 0 || opened.some((name) => commandTools.test(name));
  const ours = [...spec.tools.map(({ name }) => name), readResultName].map(hostToolName);
  return {
    // The model and its prompts
    model: spec.model,
    systemPrompt: systemPrompt(spec.system),
    maxTurns: spec.stepBudget,
    ...modelSettings(spec),
    includePartialMessages: true,
    verbatimPrompts: true, // otherwise @path in a prompt is read from disk, and /commands in it are executed

    // Tools and permissions
    tools: [...spec.builtins],
    disallowedTools: builtinNames.filter((name) => !opened.includes(currentName(name))),
    ...omitUndefined({ agents: opened.includes(subagentTool) ? toAgentDefinitions(spec) : undefined }),
    mcpServers: spec.tools.length > 0 ? { [serverName]: tools.config } : {},
    mcpServersDelivery: "initialize",
    strictMcpConfig: true, // otherwise servers of .mcp.json, of the user and of plugins are started
    permissionMode: "dontAsk",
    hooks: { PreToolUse: [toolHook({ ...parts, ours })] },
    canUseTool: async (name) => ({ behavior: "deny", message: refusalOf(name) }),

    // Settings, skills and plugins
    settingSources, // without this, settings with hooks and CLAUDE.md are loaded; a caller can open some of them
    skills: [],
    plugins: [],
    settings: settingsFor(settingSources.length > 0),

    // Where the host runs
    cwd: spec.projectDir,
    env: runsCommands ? environment : withoutGit(parts), // otherwise git runs programs that the repository's configuration names
    persistSession: false,
    ...omitUndefined({ resume: historyFile }),
    spawnClaudeCodeProcess: spawn,
  };
}

function withoutGit({ environment, programs }: HostParts): Record<string, string> {
  const path = [programs, environment.PATH].filter(Boolean).join(delimiter);
  return { ...environment, PATH: path, GIT_DIR: devNull };
}

/** Returns the flag settings, which override the settings files. `readsFiles` is true if the caller opened any of these files. */
function settingsFor(readsFiles: boolean): Settings {
  return {
    disableBundledSkills: true,
    ...omitUndefined({ disableAllHooks: readsFiles ? false : undefined }), // otherwise a settings file could switch off our hook
    autoMemoryEnabled: false, // otherwise the user's notes for this folder are added to the prompt
    crossSessionInbound: "refuse", // otherwise the user's other sessions can add messages to this one
    enabledPlugins: Object.fromEntries(builtinPlugins.map((name) => [`${name}@builtin`, false])),
    permissions: { allow: [hostToolName("*")] }, // a list of all names would not fit the command line
  };
}

/** Returns the options that a caller sets for the model and its answer. */
function modelSettings(spec: ConversationSpec): Options {
  const { effort, thinking, fallbackModel } = parseSettings(spec);
  return omitUndefined({
    maxBudgetUsd: spec.maxCostUsd,
    outputFormat: spec.outputSchema && { type: "json_schema" as const, schema: { ...spec.outputSchema } },
    effort,
    thinking: thinkingConfig(thinking),
    fallbackModel,
  });
}

function thinkingConfig(thinking: ClaudeCodeSettings["thinking"]): Options["thinking"] {
  if (thinking === undefined) return undefined;
  return thinking === false ? { type: "disabled" } : { type: "enabled", ...thinking };
}

/** Returns the host's tools that a conversation is expected to start with. */
export function expectedTools(spec: ConversationSpec): string[] {
  const ours = spec.tools.map(({ name }) => hostToolName(name));
  return [...ours, ...spec.builtins, ...(spec.outputSchema ? [structuredOutputName] : [])];
}

/** Returns the system prompt. The static part comes first, so that it can be cached across calls. */
function systemPrompt({ static: fixed, dynamic }: ConversationSpec["system"]): string | string[] {
  if (dynamic === "") return fixed;
  return fixed === "" ? dynamic : [fixed, SYSTEM_PROMPT_DYNAMIC_BOUNDARY, dynamic];
}
