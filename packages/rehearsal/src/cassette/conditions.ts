import { secretMark } from "@bridle/core";
import { escapeExpression, type PromptMessage } from "@bridle/protocol";

/** Longest text of a condition that need not tell a prompt from others that begin the same, in characters. */
const enough = 120;

/** The text of a message, with its parts apart: protocols join them in different ways. */
export function textsOf({ content }: PromptMessage): string[] {
  const texts =
    typeof content === "string" ? [content] : content.flatMap((part) => (part.type === "text" ? [part.text] : []));
  return texts.map((text) => text.trim()).filter((text) => text !== "");
}

/**
 * The condition that a prompt's newest message fulfils and those of the others do not: its beginning where that is
 * enough, else all of it. Undefined when it has no text to be known by.
 */
export function userCondition(texts: readonly string[], others: readonly (readonly string[])[]): string | undefined {
  const last = texts.at(-1);
  if (last === undefined || texts.join("").replaceAll(secretMark, "").trim() === "") return undefined;
  const head = headOf(last);
  const isShared = others.some((other) => other.join("\n").includes(head));
  if (isShared || head.replaceAll(secretMark, "").trim() === "") {
    return `/^\\s*${texts.map(toExpression).join("\\s*")}\\s*$/`;
  }
  return toPattern(head);
}

/** A text as a pattern that it matches, whatever stood where a secret was taken out. */
export function toPattern(text: string): string {
  const isPlain = !text.includes(secretMark) && !/^\/.+\/[a-z]*$/s.test(text);
  return isPlain ? text : `/${toExpression(text)}/`;
}

function toExpression(text: string): string {
  return text.split(secretMark).map(escapeExpression).join("[^]*");
}

/** Ends between two words. */
function headOf(text: string): string {
  if (text.length <= enough) return text;
  const end = text.slice(0, enough + 1).search(/\s\S*$/);
  return end > 0 ? text.slice(0, end).trimEnd() : text;
}
