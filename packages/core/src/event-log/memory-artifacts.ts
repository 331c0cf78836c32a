import { sha256 } from "../system/hash.ts";

/** Keeps the newest contents up to a total number of characters, and always the newest one. */
export class MemoryArtifacts {
  readonly #maxChars: number;
  readonly #contents = new Map<string, string>();
  #chars = 0;

  constructor(maxChars: number) {
    this.#maxChars = maxChars;
  }

  get(id: string): string | undefined {
    return this.#contents.get(id);
  }

  put(content: string): string {
    const id = sha256(content);
    this.#drop(id);
    this.#contents.set(id, content);
    this.#chars += content.length;
    for (const oldest of this.#contents.keys()) {
      if (this.#chars <= this.#maxChars || oldest === id) break;
      this.#drop(oldest);
    }
    return id;
  }

  #drop(id: string): void {
    this.#chars -= this.#contents.get(id)?.length ?? 0;
    this.#contents.delete(id);
  }
}
