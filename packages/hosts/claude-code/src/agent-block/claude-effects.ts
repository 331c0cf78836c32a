import type { EffectKind, EffectSummary } from "@bridle/protocol";
import type { ClaudeConfig } from "./claude-config.ts";

/** What a `claude` block opens on this machine. */
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
