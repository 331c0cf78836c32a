import type { InstructionMark } from "../../sources/instruction-mark.ts";
import type { StagedItem } from "../../sources/source.ts";
import { QuotedText } from "../quoted-text.ts";
import type { CitedItem } from "./gate.ts";

/** The stored version of an item, opened to check candidates about it. */
export class OpenedItem implements CitedItem {
  readonly item: StagedItem;
  readonly marks: readonly InstructionMark[];
  readonly #original: string;
  readonly #headings: readonly Heading[];
  #text: QuotedText | undefined;

  constructor(item: StagedItem, text: string, marks: readonly InstructionMark[]) {
    this.item = item;
    this.marks = marks;
    this.#original = text;
    this.#headings = findHeadings(text);
  }

  get text(): QuotedText {
    this.#text ??= new QuotedText(this.#original);
    return this.#text;
  }

  headingsAt(position: number): readonly string[] {
    return headingsAbove(this.#headings, position).filter((title) => !this.#isMarked(title));
  }

  #isMarked(title: string): boolean {
    return this.marks.some(({ start, end }) => this.#original.slice(start, end).includes(title));
  }
}

interface Heading {
  readonly position: number;
  readonly depth: number;
  readonly title: string;
}

/** Returns the Markdown headings, in order. */
export function findHeadings(text: string): readonly Heading[] {
  return Array.from(
    text.matchAll(/^ {0,3}(#{1,6})[ \t]+(\S[^\n]{0,300}?)[ \t#]*$/gm),
    ({ 1: hashes = "", 2: title = "", index }) => ({
      position: index,
      depth: hashes.length,
      title: title.trim(),
    }),
  );
}

/** Returns the headings above a position, outermost first. */
export function headingsAbove(headings: readonly Heading[], position: number): readonly string[] {
  const path: Heading[] = [];
  for (const heading of headings) {
    if (heading.position > position) break;
    while ((path.at(-1)?.depth ?? 0) >= heading.depth) path.pop();
    path.push(heading);
  }
  return path.map(({ title }) => title);
}
