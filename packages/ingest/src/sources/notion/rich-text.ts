import { type RichText, richText } from "./notion-schema.ts";

/** Writes rich text as Markdown. Spaces at the ends of a part stay outside the part's marks. */
function richTextToMarkdown(parts: RichText): string {
  return parts.map(partToMarkdown).join("");
}

/** Returns the text of a rich text value; empty if the value is something else. */
export function readRichText(value: unknown): string {
  const parsed = richText.safeParse(value);
  return parsed.success ? richTextToMarkdown(parsed.data) : "";
}

export function plainRichText(value: unknown): string {
  const parsed = richText.safeParse(value);
  return parsed.success ? parsed.data.map(({ plain_text }) => plain_text).join("") : "";
}

function partToMarkdown({ plain_text: text, href, annotations = {} }: RichText[number]): string {
  const [, before = "", inner = "", after = ""] = /^(\s*)([\s\S]*?)(\s*)$/.exec(text) ?? [];
  if (inner === "") return text;
  const marks = [
    ...(annotations.code ? ["`"] : []),
    ...(annotations.bold ? ["**"] : []),
    ...(annotations.italic ? ["*"] : []),
    ...(annotations.strikethrough ? ["~~"] : []),
  ];
  const marked = marks.reduce((sum, mark) => `${mark}${sum}${mark}`, inner);
  const isLink = typeof href === "string" && /^(?:https?:|\/)/.test(href) && !/\s/.test(href);
  return `${before}${isLink ? `[${marked}](${href})` : marked}${after}`;
}
