import type { AutocompleteProvider } from "@earendil-works/pi-tui";
import { type SlashCommand, slashCommands } from "./slash.ts";

/** Completes the commands of a chat. Prompts are free text and are not completed. */
export const slashCompletions: AutocompleteProvider = {
  async getSuggestions(lines, cursorLine, cursorCol) {
    const [, word] = /^\/([a-z]*)$/.exec((lines[cursorLine] ?? "").slice(0, cursorCol)) ?? [];
    if (cursorLine !== 0 || word === undefined) return null;
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
    const line = lines[cursorLine] ?? "";
    if (cursorLine !== 0 || line.slice(0, cursorCol) !== prefix) return { lines, cursorLine, cursorCol };
    const rest = line.slice(cursorCol);
    const text = `/${value}`;
    const before = line.slice(0, cursorCol - prefix.length);
    return {
      lines: lines.with(cursorLine, before + text + rest),
      cursorLine,
      cursorCol: before.length + text.length,
    };
  },
};
