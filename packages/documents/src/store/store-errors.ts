import { ConfigError } from "@bridle/protocol";
import type { VectorSpace } from "./document-store.ts";

/** The index cannot be kept, or not be read: something about its place has to be mended. */
export class DocumentStoreError extends ConfigError {}

/** The file of an index is damaged. Nothing is lost with it: it is made anew from the documents. */
export class DamagedIndexError extends DocumentStoreError {
  constructor(file: string, problem: string, cause: unknown) {
    super(`The index ${file} is damaged: ${problem}. Make it anew: bridle documents index --rebuild.`, { cause });
  }
}

/** The vectors of an index and those that meet them were not made by the same model in the same way. */
export class OtherSpaceError extends DocumentStoreError {
  constructor({ model, dimensions }: VectorSpace, other: string) {
    super(
      `The index was made with ${model} (${dimensions} dimensions), and vectors of ${other} do not compare with its. ` +
        "Use that model again, or make the index anew: bridle documents index --rebuild.",
    );
  }
}

/** Throws OtherSpaceError where vectors of `made` would come beside those of `present`. */
export function requireSameSpace(present: VectorSpace | undefined, made: VectorSpace): void {
  if (present === undefined) return;
  if (present.model !== made.model) throw new OtherSpaceError(present, made.model);
  if (present.dimensions !== made.dimensions)
    throw new OtherSpaceError(present, `${made.model} with ${made.dimensions} dimensions`);
}
