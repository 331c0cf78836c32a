import type { Colour, Paint } from "../terminal/paint.ts";
import { highlighter } from "./highlighter.js";

/** The maximum length of highlighted code. Not all grammars are sure to take linear time. */
const maxCharacters = 20_000;

/** The colours of grammar classes, by the beginning of the class name. */
const colours: readonly (readonly [classes: RegExp, colour: Colour])[] = [
  [/^hljs-(comment|quote|meta)/, "dim"],
  [/^hljs-(keyword|literal|built_in|type|selector)/, "cyan"],
  [/^hljs-(string|regexp|addition|char)/, "green"],
  [/^hljs-(number|symbol|bullet|attr|attribute|variable|template-variable)/, "yellow"],
  [/^hljs-(title|section|name|function|tag)/, "bold"],
  [/^hljs-deletion/, "red"],
];

/** Colours the lines of code in a language, without changing the text. Code in an unknown language has no colours. Pure. */
export function highlightLines(code: string, language: string | undefined, paint: Paint): string[] {
  const isKnown = language !== undefined && highlighter.getLanguage(language) !== undefined;
  if (!isKnown || code.length > maxCharacters) return code.split("\n");
  try {
    return paintHtml(highlighter.highlight(code, { language }).value, paint).split("\n");
  } catch {
    return code.split("\n"); // a grammar that fails must not hide the code
  }
}

/** Parses the library's output, which only contains `span` elements and escaped text. */
function paintHtml(html: string, paint: Paint): string {
  const open: (Colour | undefined)[] = [];
  return html.replaceAll(/<span class="([^"]*)">|<\/span>|[^<]+/g, (part, classes?: string) => {
    if (classes !== undefined) open.push(colourOf(classes) ?? open.at(-1));
    else if (part === "</span>") open.pop();
    else return paintLines(unescapeHtml(part), open.at(-1), paint);
    return "";
  });
}

const characters: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#x27;": "'",
};

function unescapeHtml(text: string): string {
  return text.replaceAll(/&(?:amp|lt|gt|quot|#x27);/g, (escaped) => characters[escaped] ?? escaped);
}

/** Colours each line separately, because the end of a line on the screen ends every colour. */
function paintLines(text: string, colour: Colour | undefined, paint: Paint): string {
  if (colour === undefined) return text;
  return text
    .split("\n")
    .map((line) => (line === "" ? "" : paint(colour, line)))
    .join("\n");
}

function colourOf(classNames: string): Colour | undefined {
  return colours.find(([classes]) => classes.test(classNames))?.[1];
}
