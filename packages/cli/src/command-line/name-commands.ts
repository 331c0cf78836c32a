import type { Output } from "./cli.ts";

/** The first words of all commands. A list of its own, because the list of commands leads back to every sentence. */
const names = [
  ...["init", "run", "chat", "test", "record", "rehearse", "status", "models"],
  ...["doctor", "sessions", "events", "replay", "bundle", "approvals", "permissions", "documents"],
  ...["trust", "demo", "agent", "config", "serve", "web", "acp", "mcp", "context", "memory"],
  ...["metrics", "query", "sql", "ask"],
];
const bare = new RegExp(
  `(?<![\\w./-])(?<!npx )bridle(?=\\s+(?:${names.join("|")}|<command>|--help|--version)(?![\\w-]))`,
  "g",
);

/**
 * A text for people in which every command of ours starts as the reader can start it. Sentences name commands as `bridle`,
 * which exists only if it is installed globally. Use it for sentences, not for what a model or a tool wrote.
 *
 * @example nameCommands('See "bridle --help".', { command: "npx bridle" }); // 'See "npx bridle --help".'
 */
export function nameCommands(text: string, { command = "bridle" }: Pick<Output, "command">): string {
  return command === "bridle" ? text : text.replaceAll(bare, () => command);
}
