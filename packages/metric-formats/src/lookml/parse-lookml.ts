/** Parses the block language of LookML. The parameters are interpreted later. */
import type { SourcePosition } from "@bridle/protocol";
import { refuseImport } from "../import-report.ts";
import type { LookmlCursor } from "./lookml-cursor.ts";
import { LookmlBlock, type LookmlItem, type LookmlParameter, type LookmlValue } from "./lookml-tree.ts";

/** The maximum nesting of blocks. LookML needs five levels. */
const maxDepth = 50;

/** Parses a file as a block without a name. Throws an ImportRefusalError at the cursor's position. */
export function parseLookml(cursor: LookmlCursor): LookmlBlock {
  return new LookmlBlock("file", "", new LookmlReader(cursor).readParameters("file", undefined, 0), cursor.position);
}

/** Whether the text of a parameter ends with `;;`. */
function isCode(key: string): boolean {
  return /^(sql(_\w+)?|html|expression(_custom_filter)?)$/.test(key);
}

class LookmlReader {
  readonly #cursor: LookmlCursor;

  constructor(cursor: LookmlCursor) {
    this.#cursor = cursor;
  }

  /** Reads up to the brace that closes the block, or to the end of the file. */
  readParameters(parent: string, opened: SourcePosition | undefined, depth: number): readonly LookmlParameter[] {
    const cursor = this.#cursor;
    if (depth > maxDepth) refuseImport("Its blocks are too deep. Close some of them.");
    const found: LookmlParameter[] = [];
    for (;;) {
      cursor.skipSpace();
      if (cursor.isAtEnd) {
        if (opened) refuseImport(`The block that opens in line ${opened.line} is not closed. Add a brace.`);
        return found;
      }
      if (cursor.take("}")) {
        if (!opened) refuseImport("A brace closes no block. Remove it.");
        return found;
      }
      found.push(this.#readParameter(parent, depth));
    }
  }

  #readParameter(parent: string, depth: number): LookmlParameter {
    const cursor = this.#cursor;
    const { position } = cursor;
    if (cursor.peek(/-\s/y)) refuseImport("This is LookML in the old form, which is YAML. Convert it in Looker.");
    const key =
      cursor.read(/[A-Za-z_]\w*/y) ?? refuseImport(`A parameter cannot begin with ${cursor.found}. Write key: value.`);
    cursor.skipSpace();
    if (!cursor.take(":")) refuseImport(`The parameter ${key} has no colon. Write ${key}: value.`);
    cursor.skipSpace();
    // The labels of an old sql_case are SQL.
    const value: LookmlValue =
      parent === "sql_case" ? { kind: "text", text: cursor.readCode(key) } : this.#readValue(key, position, depth);
    return { key, value, position };
  }

  #readValue(key: string, position: SourcePosition, depth: number): LookmlValue {
    const cursor = this.#cursor;
    const opensBlock = cursor.peek(/\{(?![{%])/y);
    if (isCode(key) && !opensBlock) return { kind: "text", text: cursor.readCode(key) };
    if (opensBlock) return this.#readBlock(key, "", position, depth);
    if (cursor.take("[")) return { kind: "list", items: this.#readItems() };
    if (cursor.peek(/"/y)) return { kind: "text", text: cursor.readString() };
    const word = this.#readWord(/[^\s{}[\],#"]+/y);
    cursor.skipSpace();
    return cursor.peek(/\{/y) && !word.startsWith("@")
      ? this.#readBlock(key, word, position, depth)
      : { kind: "text", text: word };
  }

  #readBlock(key: string, name: string, position: SourcePosition, depth: number): LookmlValue {
    this.#cursor.take("{");
    const parameters = this.readParameters(key, position, depth + 1);
    return { kind: "block", block: new LookmlBlock(key, name, parameters, position) };
  }

  #readItems(): readonly LookmlItem[] {
    const cursor = this.#cursor;
    const items: LookmlItem[] = [];
    for (;;) {
      cursor.skipSpace();
      if (cursor.take("]")) return items;
      if (cursor.isAtEnd) refuseImport("A list is not closed. Add a bracket.");
      if (cursor.take(",")) continue;
      items.push(this.#readItem());
    }
  }

  #readItem(): LookmlItem {
    const cursor = this.#cursor;
    const { position } = cursor;
    const first = cursor.peek(/"/y) ? cursor.readString() : this.#readWord(/[^\s{}[\],#":]+/y);
    cursor.skipSpace();
    if (!cursor.take(":")) return { key: undefined, text: first, position };
    cursor.skipSpace();
    const text = cursor.peek(/"/y) ? cursor.readString() : this.#readWord(/[^\s{}[\],#"]+/y);
    return { key: first, text, position };
  }

  #readWord(form: RegExp): string {
    const cursor = this.#cursor;
    const constant = cursor.read(/@\{\w+\}/y);
    return constant ?? cursor.read(form) ?? refuseImport(`A value cannot begin with ${cursor.found}. Quote it.`);
  }
}
