import type { EditorTheme, MarkdownTheme } from "@earendil-works/pi-tui";
import type { Colour, Paint } from "../terminal/paint.ts";
import { highlightLines } from "./highlight.ts";

/** Styles for texts. Without colours, the text is unchanged. */
export interface Style {
  readonly paint: Paint;
  readonly markdown: MarkdownTheme;
  readonly editor: EditorTheme;
}

export function createStyle(paint: Paint): Style {
  const [plain, dim, bold, cyan] = [(text: string) => text, of("dim"), of("bold"), of("cyan")];
  function of(colour: Colour) {
    return (text: string) => paint(colour, text);
  }
  return {
    paint,
    markdown: {
      highlightCode: (code, language) => highlightLines(code, language, paint),
      heading: (text) => bold(cyan(text)),
      bold,
      code: cyan,
      codeBlock: plain,
      codeBlockBorder: dim,
      link: cyan,
      linkUrl: dim,
      quote: plain,
      quoteBorder: dim,
      hr: dim,
      listBullet: cyan,
      italic: plain,
      strikethrough: dim,
      underline: plain,
    },
    editor: {
      borderColor: dim,
      selectList: { selectedPrefix: cyan, selectedText: cyan, description: dim, scrollInfo: dim, noMatch: dim },
    },
  };
}
