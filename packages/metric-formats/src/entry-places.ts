import type { SourcePosition } from "@bridle/protocol";
import type { EntryList } from "./metric-format.ts";

/** Records the positions of imported models' entries in the files. */
export class EntryPlaces {
  readonly #positions = new Map<string, SourcePosition>();

  set(position: SourcePosition, model: string, list?: EntryList, name?: string): void {
    this.#positions.set(JSON.stringify([model, list, name]), position);
  }

  /** Returns the position of the entry, or if it has no position of its own, the position of the model. */
  of(model: string, list?: EntryList, name?: string): SourcePosition | undefined {
    return this.#positions.get(JSON.stringify([model, list, name])) ?? this.#positions.get(JSON.stringify([model]));
  }
}
