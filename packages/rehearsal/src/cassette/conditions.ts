import { secretMarks } from "@bridle/core";
import { escapeExpression, type PromptMessage } from "@bridle/protocol";

/** The maximum length of a condition, in characters, if no other prompt begins in the same way. */
const enough = 120;

/** Returns the texts of a message, one for each part, because protocols join parts in different ways. */
export function readTexts({ content }: PromptMessage): string[] {
  const texts =
    typeof content === "string" ? [content] : content.flatMap((part) => (part.type === "text" ? [part.text] : []));
  return texts.map((text) => text.trim()).filter((text) => text !== "");
}

/**
 * Returns a condition that only the newest message of this prompt meets: the beginning of its text if that is unique, or the whole text.
 * Returns `undefined` if there is no usable text.
 */
export function userCondition(texts: readonly string[], others: readonly (readonly string[])[]): string | undefined {
  const last = texts.at(-1);
  if (last === undefined || texts.join("").replaceAll(secretMarks, "").trim() === "") return undefined;
  const head = headOf(last);
  const isShared = others.some((other) => other.join("\n").includes(head));
  if (isShared || head.replaceAll(secretMarks, "").trim() === "") {
    return `/^\\s*${texts.map(toExpression).join("\\s*")}\\s*$/`;
  }
  return toPattern(head);
}

/** Returns a pattern that matches the text, with any text in place of a removed secret. */
export function toPattern(text: string): string {
  const isPlain = text.search(secretMarks) < 0 && !/^\/.+\/[a-z]*$/s.test(text);
  return isPlain ? text : `/${toExpression(text)}/`;
}

function toExpression(text: string): string {
  return text.split(secretMarks).map(escapeExpression).join("[^]*");
}

/** Returns the beginning of the text, cut between two words. */
function headOf(text: string): string {
  if (text.length <= enough) return text;
  const end = text.slice(0, enough + 1).search(/\s\S*$/);
  return end > 0 ? text.slice(0, end).trimEnd() : text;
}
