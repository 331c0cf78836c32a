import type { TextSink } from "../archive/spool-file.ts";

/** Writes a JSON array item by item, as `JSON.stringify` with two spaces does. */
export class JsonList {
  readonly #sink: TextSink;
  #count = 0;

  constructor(sink: TextSink) {
    this.#sink = sink;
  }

  add(item: object): void {
    const text = JSON.stringify(item, undefined, 2).replaceAll("\n", "\n  ");
    this.#sink.add(`${this.#count === 0 ? "[" : ","}\n  ${text}`);
    this.#count += 1;
  }

  end(): void {
    this.#sink.add(this.#count === 0 ? "[]\n" : "\n]\n");
  }
}
