/**
 * The boundary: nothing may reach the model, and nothing may run, that the caller did not hand over.
 *
 * This is the only module that makes options for the Agent SDK. Each of them closes a hole that was observed on SDK
 * 0.3.330 with Claude Code 2.1.330; the boundary tests of `@bridle/project` take each away and see the hole open.
 */
import {
  type HookCallback,
  type HookCallbackMatcher,
  type Options,
  type Settings,
  SYSTEM_PROMPT_DYNAMIC_BOUNDARY,
} from "@anthropic-ai/claude-agent-sdk";
import { readResultName } from "@bridle/core";
import type { ConversationSpec, ToolCall, TurnContext } from "@bridle/protocol";
import type { SpawnHost } from "../process/host-process.ts";
import { settingsOf } from "../settings/host-settings.ts";
import { strangeAgent, subagents } from "../settings/subagents.ts";
import {
  agentTool,
  builtinNames,
  builtinPlugins,
  currentName,
  hostToolName,
  isOurs,
  longestWaitSeconds,
  ourToolName,
  serverName,
  structuredOutputName,
} from "../tools/tool-names.ts";
import type { ToolServer } from "../tools/tool-server.ts";

export interface HostParts {
  spec: ConversationSpec;
  environment: Record<string, string>;
  tools: ToolServer;
  spawn: SpawnHost;
  /** The file that holds the history to go on from, where there is one. */
  historyFile?: string | undefined;
  /** Asks whether an opened host tool may run. */
  authorizeHostTool: TurnContext["authorizeHostTool"];
  /** Resolves when the host has shown in this conversation that it came up as asked; rejects when it did not. */
  verified(): Promise<void>;
}

/** Everything that Claude Code is told about a conversation. */
export function hostOptions({
  spec,
  environment,
  tools,
  spawn,
  historyFile,
  authorizeHostTool,
  verified,
}: HostParts): Options {
  const { settingSources = [] } = settingsOf(spec);
  const opened = spec.builtins.map(currentName);
  const ours = [...spec.tools.map(({ name }) => name), readResultName].map(hostToolName);
  return {
    // What it is asked
    model: spec.model,
    systemPrompt: systemPrompt(spec.system),
    maxTurns: spec.stepBudget,
    ...modelSettings(spec),
    includePartialMessages: true,
    verbatimPrompts: true, // else @path is read from disk into the prompt, and /commands in it are executed

    // What it can do
    tools: [...spec.builtins],
    disallowedTools: builtinNames.filter((name) => !opened.includes(currentName(name))),
    ...(opened.includes(agentTool) ? { agents: subagents(spec) } : {}),
    mcpServers: spec.tools.length > 0 ? { [serverName]: tools.config } : {},
    mcpServersDelivery: "initialize",
    strictMcpConfig: true, // else .mcp.json, user and plugin servers are started
    permissionMode: "dontAsk",
    hooks: { PreToolUse: [gate({ ours, spec, authorizeHostTool, verified })] },
    canUseTool: async (name) => ({ behavior: "deny", message: refusal(name) }),

    // What it knows
    settingSources, // omitted, settings, their hooks and CLAUDE.md are loaded; so they are in what a caller opens
    skills: [],
    plugins: [],
    settings: settingsFor(ours, settingSources.length > 0),

    // Where it runs
    cwd: spec.projectDir,
    env: environment,
    persistSession: false,
    ...(historyFile === undefined ? {} : { resume: historyFile }),
    spawnClaudeCodeProcess: spawn,
  };
}

/** Of the layer of flags, which stands over those of files. `isOpen`: some files are read. */
function settingsFor(ours: readonly string[], isOpen: boolean): Settings {
  return {
    disableBundledSkills: true,
    ...(isOpen ? { disableAllHooks: false } : {}), // else a file could switch off the gate
    autoMemoryEnabled: false, // else the user's notes for this folder join the prompt
    crossSessionInbound: "refuse", // else the user's other sessions can put messages into this one
    enabledPlugins: Object.fromEntries(builtinPlugins.map((name) => [`${name}@builtin`, false])),
    permissions: { allow: [...ours] },
  };
}

/** How the model works and what for, where a caller says it. */
function modelSettings(spec: ConversationSpec): Options {
  const { effort, thinking, fallbackModel } = settingsOf(spec);
  return {
    ...(spec.maxCostUsd !== undefined && { maxBudgetUsd: spec.maxCostUsd }),
    ...(spec.outputSchema && { outputFormat: { type: "json_schema", schema: { ...spec.outputSchema } } }),
    ...(effort !== undefined && { effort }),
    ...(thinking !== undefined && { thinking: thinking ? { type: "enabled", ...thinking } : { type: "disabled" } }),
    ...(fallbackModel !== undefined && { fallbackModel }),
  };
}

/** The host's tools that a conversation is expected to come up with. */
export function expectedTools(spec: ConversationSpec): string[] {
  const ours = spec.tools.map(({ name }) => hostToolName(name));
  return [...ours, ...spec.builtins, ...(spec.outputSchema ? [structuredOutputName] : [])];
}

/** The static part comes first, so that it can be cached across calls. */
function systemPrompt({ static: fixed, dynamic }: ConversationSpec["system"]): string | string[] {
  if (dynamic === "") return fixed;
  return fixed === "" ? dynamic : [fixed, SYSTEM_PROMPT_DYNAMIC_BOUNDARY, dynamic];
}

type GateParts = Pick<HostParts, "spec" | "authorizeHostTool" | "verified"> & { ours: readonly string[] };

/** Else the host gives up a question after ten minutes, and lets through what a failing hook guards. */
function gate(parts: GateParts): HookCallbackMatcher {
  return { hooks: [gateHook(parts)], timeout: longestWaitSeconds, onFailure: "block" };
}

/** The second, independent gate: denies whatever is not in this run's toolbox, whatever the permissions say. */
function gateHook({ ours, spec, authorizeHostTool, verified }: GateParts): HookCallback {
  return async (input) => {
    if (input.hook_event_name !== "PreToolUse") return {};
    const name = input.tool_name;
    try {
      await verified();
    } catch {
      return deny("The host did not come up as it was asked to; nothing runs.");
    }
    if (ours.includes(name) || (name === structuredOutputName && spec.outputSchema)) return {};
    if (isOurs(name) || !spec.builtins.map(currentName).includes(currentName(name))) return deny(refusal(name));
    const stranger = strangeAgent(name, input.tool_input, spec);
    if (stranger !== undefined) return deny(stranger);
    const call: ToolCall = { callId: input.tool_use_id, tool: name, input: input.tool_input };
    const answer = await authorizeHostTool(call);
    return answer.allow ? allow() : deny(answer.reply);
  };
}

function refusal(name: string): string {
  return `The tool ${ourToolName(name)} is not available in this run.`;
}

function deny(reason: string) {
  return {
    hookSpecificOutput: {
      hookEventName: "PreToolUse" as const,
      permissionDecision: "deny" as const,
      permissionDecisionReason: reason,
    },
  };
}

function allow() {
  return { hookSpecificOutput: { hookEventName: "PreToolUse" as const, permissionDecision: "allow" as const } };
}
