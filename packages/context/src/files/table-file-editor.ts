import type { JoinEnd } from "../facts/facts.ts";
import { isSameJoin, notePath, writeEnd } from "./apply-change.ts";
import type { JoinNote } from "./table-file-schema.ts";
import { EditedDocument } from "./yaml/edit-document.ts";

/** The ends of a join. */
export interface JoinEnds {
  readonly from: JoinEnd;
  readonly to: JoinEnd;
}

/** Returns the entry of a join, in the form of the file. */
export function formatJoinEntry({ from, to }: JoinEnds, value: Omit<JoinNote, "from" | "to">): JoinNote {
  return { from: writeEnd(from), to: writeEnd(to), ...value };
}

/**
 * Sets and removes entries in the text of a file of `context/tables`. Keeps comments, order and unknown keys. The caller decides who may
 * make a change. Throws a ConfigError with the position if the file cannot be edited.
 */
export class TableFileEditor {
  readonly #text: string;
  readonly #document: EditedDocument;
  #isEdited = false;

  constructor(text: string, file: string) {
    this.#text = text;
    this.#document = new EditedDocument(text, file);
  }

  /** Returns the description of a table or column in the form of the file: a string, or a mapping; undefined without a description. */
  description(subject: string): unknown {
    return this.#document.get([...notePath(subject), "description"]);
  }

  /** Sets a description. Undefined removes the description, and mappings that become empty. */
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

  /** Returns the entries of joins, in the form of the file. */
  joins(): readonly unknown[] {
    return this.#document.list("joins");
  }

  /** Returns the entry of a join, in the form of the file; undefined if the file has none. */
  join(ends: JoinEnds): unknown {
    return this.joins().find((entry) => isSameJoin(entry, ends));
  }

  /** Sets the entry of a join. Undefined removes the entry. */
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

  /** Returns the text; empty if the file has no entries left. */
  toString(): string {
    if (!this.#isEdited) return this.#text;
    const text = this.#document.toString();
    return text.trim() === "{}" ? "" : text;
  }
}
