import type { KeyCommand } from "./key-command.ts";

/**
 * Finds the commands whose titles contain all words of the query. Titles that begin with the first word come first. If several commands
 * have the same id, only the newest is returned.
 */
export function rankCommands(commands: readonly KeyCommand[], query: string): readonly KeyCommand[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const newest = [...new Map(commands.map((command) => [command.id, command])).values()];
  const found = newest.filter(({ title }) => words.every((word) => title.toLowerCase().includes(word)));
  const isFirst = ({ title }: KeyCommand) => words[0] !== undefined && title.toLowerCase().startsWith(words[0]);
  return [...found.filter(isFirst), ...found.filter((command) => !isFirst(command))];
}
