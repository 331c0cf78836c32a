import type { Colour, Paint } from "../terminal/paint.ts";
import { highlighter } from "./highlighter.js";

/** The grammars take time in proportion to the text, but not all of them promise it. Longer code has no colours. */
const maxCharacters = 20_000;

/** Colours by the beginning of a class of the grammar. */
const colours: readonly (readonly [classes: RegExp, colour: Colour])[] = [
  [/^hljs-(comment|quote|meta)/, "dim"],
  [/^hljs-(keyword|literal|built_in|type|selector)/, "cyan"],
  [/^hljs-(string|regexp|addition|char)/, "green"],
  [/^hljs-(number|symbol|bullet|attr|attribute|variable|template-variable)/, "yellow"],
  [/^hljs-(title|section|name|function|tag)/, "bold"],
  [/^hljs-deletion/, "red"],
];

/** The lines of code with the colours of its language. The text stays the same; an unknown language has no colours. Pure. */
export function highlightLines(code: string, language: string | undefined, paint: Paint): string[] {
  const isKnown = language !== undefined && highlighter.getLanguage(language) !== undefined;
  if (!isKnown || code.length > maxCharacters) return code.split("\n");
  try {
    return paintHtml(highlighter.highlight(code, { language }).value, paint).split("\n");
  } catch {
    return code.split("\n"); // a grammar that fails must not hide the code
  }
}

/** The library writes `span` elements and escaped text, and nothing else. */
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

/** Each line is painted alone, because a line of the screen ends every colour. */
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
