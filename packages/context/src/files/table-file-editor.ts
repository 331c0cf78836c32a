import type { JoinEnd } from "../facts/facts.ts";
import { isSameJoin, notePath, writeEnd } from "./apply-change.ts";
import type { JoinNote } from "./table-file-schema.ts";
import { EditedDocument } from "./yaml/edit-document.ts";

/** The ends of a join. */
export interface JoinEnds {
  readonly from: JoinEnd;
  readonly to: JoinEnd;
}

/** The entry of a join, as a file has it. */
export function formatJoinEntry({ from, to }: JoinEnds, value: Omit<JoinNote, "from" | "to">): JoinNote {
  return { from: writeEnd(from), to: writeEnd(to), ...value };
}

/**
 * Edits the text of a file of `context/tables`, also entries that are to be removed. It keeps comments, order and unknown keys. Who may
 * change what is the caller's decision. Throws a ConfigError with the position if the file cannot be edited.
 */
export class TableFileEditor {
  readonly #text: string;
  readonly #document: EditedDocument;
  #isEdited = false;

  constructor(text: string, file: string) {
    this.#text = text;
    this.#document = new EditedDocument(text, file);
  }

  /** The description of a table or column as the file has it: a text, or a mapping; undefined if there is none. */
  description(subject: string): unknown {
    return this.#document.get([...notePath(subject), "description"]);
  }

  /** Undefined removes the description, and mappings that are empty then. */
  setDescription(subject: string, value: unknown): void {
    const path = notePath(subject);
    this.#isEdited = true;
    this.#document.set([...path, "description"], value);
    for (let end = path.length; value === undefined && end > 0; end -= 1) {
      const holder = path.slice(0, end);
      if (JSON.stringify(this.#document.get(holder)) !== "{}") return;
      this.#document.set(holder, undefined);
    }
  }

  /** The entries of joins as the file has them. */
  joins(): readonly unknown[] {
    return this.#document.list("joins");
  }

  /** The entry of a join as the file has it; undefined if there is none. */
  join(ends: JoinEnds): unknown {
    return this.joins().find((entry) => isSameJoin(entry, ends));
  }

  /** Undefined removes the entry. */
  setJoin(ends: JoinEnds, value: Omit<JoinNote, "from" | "to"> | undefined): void {
    const index = this.#document.list("joins").findIndex((entry) => isSameJoin(entry, ends));
    this.#isEdited = true;
    if (value === undefined) {
      if (index >= 0) this.#document.removeEntry("joins", index);
      return;
    }
    const entry = formatJoinEntry(ends, value);
    if (index < 0) this.#document.append("joins", entry);
    else this.#document.replaceEntry("joins", index, entry);
  }

  /** The text; empty if nothing is in it any more. */
  toString(): string {
    if (!this.#isEdited) return this.#text;
    const text = this.#document.toString();
    return text.trim() === "{}" ? "" : text;
  }
}
