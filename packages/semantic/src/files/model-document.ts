import type { SourcePosition } from "@bridle/protocol";
import { type Document, isMap, isNode, isScalar, LineCounter, parseAllDocuments, parseDocument } from "yaml";
import type { ModelPath, ModelProblem } from "./model-problem.ts";

/** A YAML file with the positions of its values. */
export class ModelDocument {
  readonly file: string;
  readonly #lines: LineCounter;
  readonly #document: Document.Parsed;

  private constructor(file: string, document: Document.Parsed, lines: LineCounter) {
    this.file = file;
    this.#document = document;
    this.#lines = lines;
  }

  /** Parses a file with one document. */
  static parse(file: string, text: string): ModelDocument {
    const lines = new LineCounter();
    return new ModelDocument(file, parseDocument(text, { lineCounter: lines, prettyErrors: false }), lines);
  }

  /** Parses the documents in a file, which lines of `---` separate. */
  static parseAll(file: string, text: string): readonly ModelDocument[] {
    const lines = new LineCounter();
    const documents = parseAllDocuments(text, { lineCounter: lines, prettyErrors: false });
    return [...documents].map((document) => new ModelDocument(file, document, lines));
  }

  /** The reason why the file cannot be read as YAML. */
  get fault(): ModelProblem | undefined {
    const [error] = this.#document.errors;
    if (!error) return undefined;
    const reason = error.message.replace(/\.$/, "");
    return { message: `This is not YAML: ${reason}. Correct the line.`, position: this.#position(error.pos[0]) };
  }

  /** Returns the plain value. Throws if an alias contains itself or expands without end. */
  read(): unknown {
    return this.#document.toJS();
  }

  /** Returns the position of the key or value at a path, or if it does not exist, the position of its container. */
  at(path: ModelPath): SourcePosition {
    return this.#position(this.#offset(path));
  }

  #offset(path: ModelPath): number {
    const { contents } = this.#document;
    if (path.length === 0) return isNode(contents) ? (contents.range?.[0] ?? 0) : 0;
    const [parent, last] = [path.slice(0, -1), path.at(-1)];
    const holder: unknown = parent.length === 0 ? contents : this.#document.getIn(parent, true);
    const pair = isMap(holder) ? holder.items.find(({ key }) => isScalar(key) && key.value === last) : undefined;
    if (pair && isScalar(pair.key)) return pair.key.range?.[0] ?? 0;
    const value: unknown = this.#document.getIn(path, true);
    return isNode(value) ? (value.range?.[0] ?? 0) : this.#offset(parent);
  }

  #position(offset: number): SourcePosition {
    const { line, col } = this.#lines.linePos(offset);
    return { file: this.file, line, column: col };
  }
}
