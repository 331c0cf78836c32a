import { Markdown, type MarkdownTheme, wrapTextWithAnsi } from "@earendil-works/pi-tui";

/**
 * The limits of rendered Markdown. The renderer's time grows with the square of a paragraph's length, and of the number of emphasis marks
 * in it. Real paragraphs are far below these limits.
 */
const max = { charactersInParagraph: 16_000, marksInParagraph: 400, characters: 400_000 } as const;

/** The start of a new paragraph: a blank line, a heading, a list item, or a table row. */
const paragraphStart = /\n(?=[ \t]*(?:\n|[-+*#][ \t]|\||\d+[.)][ \t]))/;

/** Formats Markdown as lines of a screen. Text that is slow or impossible to render is shown unchanged. Pure. */
export function markdownLines(text: string, width: number, theme: MarkdownTheme): string[] {
  if (!isQuickToRender(text)) return plainLines(text, width);
  try {
    return new Markdown(text, 0, 0, theme).render(width).map((line) => line.trimEnd());
  } catch (error) {
    if (error instanceof RangeError) return plainLines(text, width); // too many levels for the stack
    throw error;
  }
}

function isQuickToRender(text: string): boolean {
  return text.length <= max.characters && text.split(paragraphStart).every(isQuickParagraph);
}

function isQuickParagraph(text: string): boolean {
  if (text.length > max.charactersInParagraph) return false;
  return (text.match(/[*_~]/g) ?? []).length <= max.marksInParagraph;
}

function plainLines(text: string, width: number): string[] {
  return text.split("\n").flatMap((line) => wrapTextWithAnsi(line, width));
}
