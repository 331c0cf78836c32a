import { decodeEscapes, findEscapeEnd } from "./decoded-view.ts";

/**
 * Decodes the escapes of a text that arrives in pieces. An incomplete escape at the end of a piece is decoded with the next piece. The time
 * is proportional to the length of all pieces together.
 */
export class StreamDecoder {
  #held = "";

  add(piece: string): string {
    const text = this.#held + piece;
    const end = findEscapeEnd(text);
    this.#held = text.slice(end);
    return decodeEscapes(text.slice(0, end));
  }
}

/** Removes the line breaks, and the blanks around them, of a text that arrives in pieces. */
export class StreamUnwrapper {
  /** The blanks at the end, which a line break would remove. Only the newest are kept, because nothing looks further back. */
  #blanks = "";
  #isAfterBreak = false;
  /** Whether the last piece left out blanks before a line break, so that the text before them continues. */
  hasRejoined = false;

  /**
   * Adds a piece, and returns it without line breaks. `reach` is how many characters at the end of the result later pieces are compared
   * with.
   */
  add(piece: string, reach: number): string {
    this.hasRejoined = false;
    const parts: string[] = [];
    for (const [index, line] of piece.split(/[\r\n]/).entries()) {
      if (index > 0) this.#break();
      const text = this.#isAfterBreak ? line.replace(/^[ \t]+/, "") : line;
      if (text === "") continue;
      this.#isAfterBreak = false;
      const end = endWithoutBlanks(text);
      if (end > 0) parts.push(this.#blanks, text.slice(0, end));
      this.#blanks = (end > 0 ? "" : this.#blanks).concat(text.slice(end)).slice(-reach);
    }
    return parts.join("");
  }

  #break(): void {
    if (this.#blanks !== "") this.hasRejoined = true;
    this.#blanks = "";
    this.#isAfterBreak = true;
  }
}

function endWithoutBlanks(text: string): number {
  let end = text.length;
  while (end > 0 && (text[end - 1] === " " || text[end - 1] === "\t")) end -= 1;
  return end;
}
