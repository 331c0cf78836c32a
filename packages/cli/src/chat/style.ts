import type { EditorTheme, MarkdownTheme } from "@earendil-works/pi-tui";
import { type Colour } from "../terminal/paint.ts";

type Paint = (colour: Colour, text: string) => string;

/** How texts look; without colours all of them are as they are. */
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
      ...{ heading: (text) => bold(cyan(text)), bold, code: cyan, codeBlock: plain, codeBlockBorder: dim },
      ...{ link: cyan, linkUrl: dim, quote: plain, quoteBorder: dim, hr: dim, listBullet: cyan },
      ...{ italic: plain, strikethrough: dim, underline: plain },
    },
    editor: {
      borderColor: dim,
      selectList: { selectedPrefix: cyan, selectedText: cyan, description: dim, scrollInfo: dim, noMatch: dim },
    },
  };
}
