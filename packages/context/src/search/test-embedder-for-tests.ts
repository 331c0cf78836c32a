import type { Embedder } from "@bridle/protocol";
import { searchWords } from "../facts/search-words.ts";

/**
 * A deterministic embedder. The vector of a text is the sum of its words' vectors, and words of one group have the same vector. The
 * embedder knows only the given groups, so that results do not depend on a model.
 */
export class GroupEmbedder implements Embedder {
  readonly id = "test";
  readonly model = "groups";
  readonly account = "test";
  /** The texts of each request. */
  readonly requests: (readonly string[])[] = [];
  readonly #groupOf: ReadonlyMap<string, string>;
  readonly #dimensions: number;

  constructor(groups: readonly (readonly string[])[], dimensions = 256) {
    this.#groupOf = new Map(groups.flatMap(([first = "", ...more]) => [first, ...more].map((word) => [word, first])));
    this.#dimensions = dimensions;
  }

  async embed(texts: readonly string[]) {
    this.requests.push(texts);
    return { vectors: texts.map((text) => this.#vector(text)), usage: { inputTokens: 0 } };
  }

  async close(): Promise<void> {}

  /** Returns the groups of the words that a compound name contains. */
  #groupsOf(word: string): readonly string[] {
    const own = this.#groupOf.get(word);
    if (own !== undefined) return [own];
    const inside = [...this.#groupOf].filter(([part]) => part.length > 3 && word.includes(part));
    return inside.length > 0 ? inside.map(([, group]) => group) : [word];
  }

  #vector(text: string): Float32Array {
    const vector = new Float32Array(this.#dimensions);
    for (const group of searchWords(text).flatMap((word) => this.#groupsOf(word))) {
      for (const [index, sign] of placesOf(group, this.#dimensions)) vector[index] = (vector[index] ?? 0) + sign;
    }
    return vector;
  }
}

/** Returns eight positions for a word, each with a sign, from a hash (FNV-1a). */
function placesOf(word: string, dimensions: number): (readonly [number, number])[] {
  let hash = 0x811c9dc5;
  for (const letter of word) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return Array.from({ length: 8 }, () => {
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 0;
    return [hash % dimensions, hash & 0x10000 ? 1 : -1];
  });
}
