import type { AutocompleteProvider } from "@earendil-works/pi-tui";
import { type SlashCommand, slashCommands } from "./slash.ts";

/** Completes the commands of a chat. Prompts are free text and are not completed. */
export const slashCompletions: AutocompleteProvider = {
  async getSuggestions(lines, cursorLine, cursorCol) {
    const [, word] = /^\/([a-z]*)$/.exec(lines[0] ?? "") ?? [];
    if (!isAtEnd(lines, cursorLine, cursorCol) || word === undefined) return null;
    const items = slashCommands
      .filter(({ name }) => name.startsWith(word))
      .map(({ name, summary, operand }: SlashCommand) => ({
        value: name,
        label: operand === undefined ? `/${name}` : `/${name} ${operand}`,
        description: summary,
      }));
    return items.length === 0 ? null : { items, prefix: `/${word}` };
  },
  /** The list may be older than the text: a key that arrives before the next list must not choose from it. */
  applyCompletion(lines, cursorLine, cursorCol, { value }, prefix) {
    if (!isAtEnd(lines, cursorLine, cursorCol) || lines[0] !== prefix) return { lines, cursorLine, cursorCol };
    const text = `/${value}`;
    return { lines: [text], cursorLine, cursorCol: text.length };
  },
};

/** A command is completed only if it is all that was typed. */
function isAtEnd(lines: readonly string[], cursorLine: number, cursorCol: number): boolean {
  return lines.length === 1 && cursorLine === 0 && cursorCol === lines[0]?.length;
}
