import { join, resolve } from "node:path";
import type { EffectKind, EffectSummary } from "@bridle/protocol";
import type { ClaudeConfig } from "./claude-config.ts";

/** Returns the effects of a `claude` block on this machine. */
export function claudeEffects(config: ClaudeConfig): EffectSummary[] {
  const { bash, file_system: files, web_search: search, permission_mode: mode, setting_sources: sources = [] } = config;
  const effect = (isSet: unknown, kind: EffectKind, subject: string): EffectSummary[] =>
    isSet ? [{ kind, subject }] : [];
  return [
    ...effect(bash?.enabled, "runs", "Bash: any command of this machine"),
    ...effect(sources.length > 0, "runs", `hooks of Claude Code's settings (${sources.join(", ")})`),
    ...effect(mode === "acceptAll", "skips-questions", "permission_mode acceptAll: every tool runs without a question"),
    ...effect(
      mode === "acceptEdits",
      "skips-questions",
      "permission_mode acceptEdits: Write and Edit run without a question",
    ),
    ...effect(files?.write || files?.edit, "runs", "Write and Edit: changes of any file of this machine"),
    ...effect(search, "sends", "web searches"),
    ...effect(files?.read, "reads", "Read, Glob and Grep: any file of this machine"),
  ];
}

/** Returns the block's settings that determine which calls are allowed. */
export function claudeCallRules(config: ClaudeConfig): string[] {
  const { permission_mode: mode, allowed_tools: allowed, disallowed_tools: disallowed = [] } = config;
  return [
    ...(mode === undefined ? [] : [`permission_mode ${mode}`]),
    ...(allowed === undefined ? [] : [`allowed_tools ${allowed.join(", ") || "none"}`]),
    ...(disallowed.length === 0 ? [] : [`disallowed_tools ${disallowed.join(", ")}`]),
  ];
}

/** Project files and folders from which Claude Code loads hooks, programs and instructions. */
const projectFiles = [
  "CLAUDE.md",
  "CLAUDE.local.md",
  ".mcp.json",
  ...["CLAUDE.md", "settings.json", "settings.local.json"].map((name) => join(".claude", name)),
  ...["agents", "commands", "hooks", "output-styles", "plugins", "rules", "skills"].map((name) =>
    join(".claude", name),
  ),
];

/**
 * Returns the project files that `setting_sources` loads from Claude Code's working directory. The user's own settings are left out,
 * because they do not belong to a project.
 */
export function claudeLoadedFiles(
  { setting_sources: sources = [], working_directory: folder }: ClaudeConfig,
  { baseDir, projectDir }: { readonly baseDir: string; readonly projectDir: string },
): string[] {
  if (!sources.some((source) => source !== "user")) return [];
  const top = folder === undefined ? projectDir : resolve(baseDir, folder);
  return projectFiles.map((name) => join(top, name));
}
