import type { ClaudeConfig } from "./claude-config.ts";

/** Returns Claude Code's tools that a block opens, by their exact names. */
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
