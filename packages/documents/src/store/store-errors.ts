import { ConfigError } from "@bridle/protocol";
import type { VectorSpace } from "./document-store.ts";

/** The index cannot be read or written. */
export class DocumentStoreError extends ConfigError {}

/** Another model made the vectors of the index, or the vectors have other dimensions. */
export class OtherSpaceError extends DocumentStoreError {
  constructor({ model, dimensions }: VectorSpace, other: string) {
    super(
      `The index was made with ${model} (${dimensions} dimensions), which cannot be compared with vectors of ${other}. ` +
        "Use that model again, or build the index again: bridle documents index --rebuild.",
    );
  }
}

/** Throws OtherSpaceError if another model made the index's vectors. */
export function requireSameSpace(present: VectorSpace | undefined, made: VectorSpace): void {
  if (present === undefined) return;
  if (present.model !== made.model) throw new OtherSpaceError(present, made.model);
  if (present.dimensions !== made.dimensions)
    throw new OtherSpaceError(present, `${made.model} with ${made.dimensions} dimensions`);
}
