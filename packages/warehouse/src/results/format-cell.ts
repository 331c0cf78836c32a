import { cutText, showHidden } from "@bridle/protocol";
import type { WarehouseValue } from "../port/values.ts";

/** A text in a cell of a Markdown table. */
export interface FormattedCell {
  readonly text: string;
  /** Whether the value is longer than the text. */
  readonly isCut: boolean;
}

/** Bytes of a value that are shown. */
const mostBytes = 16;

/**
 * A value as a cell. Whatever it contains, it stays in its cell: no end of a line, no bar, no link, no tag, no hidden character.
 * NULL and the text "NULL" differ, and so do NULL and the empty text.
 */
export function formatCell(value: WarehouseValue, mostCharacters: number): FormattedCell {
  if (value instanceof Uint8Array) {
    const text = `0x${Buffer.from(value.subarray(0, mostBytes)).toString("hex")}`;
    return value.length > mostBytes
      ? { text: `${text}… (${value.length} bytes)`, isCut: true }
      : { text, isCut: false };
  }
  const text = textOf(value);
  const cut = cutText(text, mostCharacters);
  if (cut === undefined) return { text: escapeCell(text), isCut: false };
  return { text: `${escapeCell(cut.head)}… (${text.length} characters)`, isCut: true };
}

function textOf(value: WarehouseValue): string {
  if (value === null) return "NULL";
  if (typeof value === "string") return value === "" || value === "NULL" ? `"${value}"` : value;
  return Array.isArray(value) ? `[${value.map(textOf).join(", ")}]` : String(value);
}

/** Escapes everything that has a meaning in Markdown beyond one cell. */
function escapeCell(text: string): string {
  const escaped = text
    .replaceAll("\\", "\\\\")
    .replaceAll(/\r\n|[\n\r\u0085\u2028\u2029]/g, "\\n")
    .replaceAll("\t", "\\t")
    .replaceAll("|", "\\|")
    .replaceAll("`", "\\`")
    .replaceAll("](", "]\\(")
    .replaceAll(/<(?=[a-z/!?])/gi, "\\<");
  return showHidden(escaped, "");
}
