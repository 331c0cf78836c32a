import type { TextSink } from "../archive/spool-file.ts";

/** Writes sections of paragraphs as Markdown. */
export class Sections {
  readonly #sink: TextSink;
  #isOpen = false;
  #count = 0;

  constructor(sink: TextSink) {
    this.#sink = sink;
  }

  get count(): number {
    return this.#count;
  }

  begin(title: string): void {
    this.end();
    this.#sink.add(`${this.#count === 0 ? "" : "\n"}# ${title}`);
    this.#count += 1;
    this.#isOpen = true;
  }

  add(paragraph: string): void {
    this.#sink.add(`\n\n${paragraph}`);
  }

  end(): void {
    if (this.#isOpen) this.#sink.add("\n");
    this.#isOpen = false;
  }
}
