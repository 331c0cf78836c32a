import type { ClaudeConfig } from "./claude-config.ts";

/** Returns the exact names of the Claude Code tools that a block opens. */
export function openedTools({ web_search, bash, file_system: files, agents }: ClaudeConfig): string[] {
  return [
    ...(files?.read ? ["Read", "Glob", "Grep"] : []),
    ...(files?.write ? ["Write"] : []),
    ...(files?.edit ? ["Edit"] : []),
    ...(bash?.enabled ? ["Bash"] : []),
    ...(web_search ? ["WebSearch"] : []),
    ...(agents && Object.keys(agents).length > 0 ? ["Agent"] : []),
  ];
}
