/** Finds programs among files whose names do not show that they are programs. */
import { basename } from "node:path";
import { isCode } from "./code-files.ts";
import type { FolderView } from "./folder-view.ts";

/**
 * Finds the programs among files with unknown endings: those that are executable, and those that code names. All others are data, such as
 * caches and outputs, which change in every run.
 */
export class NamedPrograms {
  readonly #view: FolderView;
  readonly #files = new Set<string>();
  readonly #names = new Set<string>();

  constructor(view: FolderView) {
    this.#view = view;
  }

  /** Adds a file that may be a program. */
  add(path: string): void {
    this.#files.add(path);
  }

  /** Adds strings from code or from a command. */
  addTexts(texts: readonly string[]): void {
    for (const text of texts) for (const name of namesIn(text)) this.#names.add(name);
  }

  /** Returns the programs among the files. `code`: the code files that may name them. */
  find(code: readonly string[]): string[] {
    const files = [...this.#files].filter((path) => this.#view.isFile(path));
    const found = files.filter((path) => this.#canStart(path));
    const open = new Set(files);
    for (const path of found) open.delete(path);
    for (let next = [...found, ...code.filter((path) => isCode(path))]; next.length > 0 && open.size > 0; ) {
      const texts = next.map((path) => this.#textsOf(path));
      for (const each of texts) this.addTexts(each ?? []);
      const hasUnread = texts.includes(undefined); // a file that is too long to read may name any of them
      next = [...open].filter((path) => hasUnread || this.#names.has(basename(path)));
      for (const path of next) open.delete(path);
      found.push(...next);
    }
    return found;
  }

  #canStart(path: string): boolean {
    return this.#view.isExecutable(path) || this.#view.headOf(path).toString("latin1", 0, 2) === "#!";
  }

  #textsOf(path: string): readonly string[] | undefined {
    return this.#view.remember("texts", path, () => {
      const text = this.#view.textOf(path);
      if (text === undefined) return undefined;
      const quoted = text.matchAll(/(["'`])((?:\\.|(?!\1)[^\\\n])*)\1/g);
      return [...new Set([...quoted].flatMap(([, , inner = ""]) => namesIn(inner)))];
    });
  }
}

/** Splits a string into the parts of paths and commands. */
function namesIn(text: string): string[] {
  return text.split(/[\s/\\"'`;&|()<>=,:?#]+/).filter((name) => name !== "");
}
