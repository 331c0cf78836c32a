import type { KeyCommand } from "./key-command.ts";

/** The commands whose titles have all words of the query, those that begin with it first. One command for each id: the newest. */
export function rankCommands(commands: readonly KeyCommand[], query: string): readonly KeyCommand[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const newest = [...new Map(commands.map((command) => [command.id, command])).values()];
  const found = newest.filter(({ title }) => words.every((word) => title.toLowerCase().includes(word)));
  const isFirst = ({ title }: KeyCommand) => words[0] !== undefined && title.toLowerCase().startsWith(words[0]);
  return [...found.filter(isFirst), ...found.filter((command) => !isFirst(command))];
}
