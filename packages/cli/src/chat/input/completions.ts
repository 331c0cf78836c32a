import type { AutocompleteProvider, AutocompleteSuggestions } from "@earendil-works/pi-tui";
import { toPrintableLine } from "../../terminal/printable.ts";
import { type SlashCommand, slashCommands } from "../slash/slash.ts";

/** Finds the paths that begin with a text. */
export type FindPaths = (start: string) => Promise<readonly string[]>;

/** Completes a chat's commands, and file paths after `@`. Other text is free and is not completed. */
export function createCompletions(findPaths: FindPaths): AutocompleteProvider {
  return {
    async getSuggestions(lines, cursorLine, cursorCol) {
      const before = (lines[cursorLine] ?? "").slice(0, cursorCol);
      const isCommand = lines.length === 1 && cursorCol === lines[0]?.length;
      return (isCommand ? suggestCommands(before) : null) ?? suggestPaths(before, findPaths);
    },
    /** Chooses from the list only if the list is for the current text. A key may arrive before the list is updated. */
    applyCompletion(lines, cursorLine, cursorCol, { value }, prefix) {
      const line = lines[cursorLine] ?? "";
      const isCommand = prefix.startsWith("/");
      const isCurrent = isCommand ? lines.length === 1 && line === prefix : isMention(line.slice(0, cursorCol), prefix);
      if (!isCurrent) return { lines, cursorLine, cursorCol };
      const before = line.slice(0, cursorCol - prefix.length) + value;
      return { lines: lines.with(cursorLine, before + line.slice(cursorCol)), cursorLine, cursorCol: before.length };
    },
  };
}

/** Completes a command only if nothing else was typed. */
function suggestCommands(before: string): AutocompleteSuggestions | null {
  const [, word] = /^\/([a-z]*)$/.exec(before) ?? [];
  if (word === undefined) return null;
  const items = slashCommands
    .filter(({ name }) => name.startsWith(word))
    .map(({ name, summary, operand }: SlashCommand) => ({
      value: `/${name}`,
      label: operand === undefined ? `/${name}` : `/${name} ${operand}`,
      description: summary,
    }));
  return items.length === 0 ? null : { items, prefix: `/${word}` };
}

async function suggestPaths(before: string, findPaths: FindPaths): Promise<AutocompleteSuggestions | null> {
  const [, start] = /(?:^|[\s(])@([^\s"@]*)$/.exec(before) ?? [];
  if (start === undefined) return null;
  const paths = (await findPaths(start)).filter((path) => !/[\s"]/.test(path) && path === toPrintableLine(path));
  if (paths.length === 0 || (paths.length === 1 && paths[0] === start)) return null;
  return { items: paths.map((path) => ({ value: `@${path}`, label: path })), prefix: `@${start}` };
}

function isMention(before: string, prefix: string): boolean {
  return before.endsWith(prefix) && /^$|[\s(]$/.test(before.slice(0, before.length - prefix.length));
}
