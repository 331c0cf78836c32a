import { harmless } from "@bridle/app";

/** Characters that turn the direction of text around: what is shown would not be what is there. */
const directions = /[\u202a-\u202e\u2066-\u2069]/gu;
/** Joined emoji have another width on each terminal; apart they have the same on all. */
const joiners = /\u200d(?=\p{Extended_Pictographic})|[\ufe0e\ufe0f]|[\u{1f3fb}-\u{1f3ff}]/gu;

/** Text of a model, a tool or a person as a screen of fixed columns can hold it. Line feeds stay, a tab is two blanks. */
export function printable(text: string): string {
  return harmless(text.replaceAll("\r\n", "\n")).replaceAll("\t", "  ").replace(directions, "").replace(joiners, "");
}

/** The same on one line. */
export function printableLine(text: string): string {
  return printable(text).replaceAll("\n", " ");
}
