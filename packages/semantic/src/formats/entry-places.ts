import type { SourcePosition } from "@bridle/protocol";
import type { EntryList } from "./metric-format.ts";

/** Remembers where the entries of imported models are in the files. */
export class EntryPlaces {
  readonly #positions = new Map<string, SourcePosition>();

  set(position: SourcePosition, model: string, list?: EntryList, name?: string): void {
    this.#positions.set(JSON.stringify([model, list, name]), position);
  }

  /** The entry; if it has no place of its own, that of the model. */
  of(model: string, list?: EntryList, name?: string): SourcePosition | undefined {
    return this.#positions.get(JSON.stringify([model, list, name])) ?? this.#positions.get(JSON.stringify([model]));
  }
}
