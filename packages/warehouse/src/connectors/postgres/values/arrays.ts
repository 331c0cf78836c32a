import type { WarehouseValue } from "../../../port/values.ts";

/** Reads a value from its text. */
export type ParseValue = (text: string) => WarehouseValue;

/** Reads arrays of any depth, such as `{1,NULL,{"a b"}}`. Lower bounds other than 1, as in `[0:1]={1,2}`, are dropped. */
export function parseArray(text: string, parseElement: ParseValue, delimiter = ","): WarehouseValue {
  return new ArrayReader(text, parseElement, delimiter).read();
}

class ArrayReader {
  readonly #text: string;
  readonly #parse: ParseValue;
  readonly #delimiter: string;
  #place: number;

  constructor(text: string, parse: ParseValue, delimiter: string) {
    this.#text = text;
    this.#parse = parse;
    this.#delimiter = delimiter;
    this.#place = text.indexOf("{");
  }

  read(): WarehouseValue {
    const items: WarehouseValue[] = [];
    this.#place += 1;
    while (this.#place < this.#text.length && this.#text[this.#place] !== "}") {
      const first = this.#text[this.#place];
      if (first === this.#delimiter) this.#place += 1;
      else if (first === "{") items.push(this.read());
      else items.push(first === '"' ? this.#readQuoted() : this.#readPlain());
    }
    this.#place += 1;
    return items;
  }

  #readPlain(): WarehouseValue {
    const start = this.#place;
    while (this.#place < this.#text.length && !this.#isEnd(this.#text[this.#place])) this.#place += 1;
    const item = this.#text.slice(start, this.#place);
    return item === "NULL" ? null : this.#parse(item);
  }

  #isEnd(character: string | undefined): boolean {
    return character === this.#delimiter || character === "}";
  }

  #readQuoted(): WarehouseValue {
    const parts: string[] = [];
    let start = this.#place + 1;
    for (this.#place = start; this.#text[this.#place] !== '"'; this.#place += 1) {
      if (this.#place >= this.#text.length) break;
      if (this.#text[this.#place] !== "\\") continue;
      parts.push(this.#text.slice(start, this.#place));
      this.#place += 1;
      start = this.#place;
    }
    parts.push(this.#text.slice(start, this.#place));
    this.#place += 1;
    return this.#parse(parts.join(""));
  }
}
