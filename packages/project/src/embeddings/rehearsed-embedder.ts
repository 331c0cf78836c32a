import { type Embedder, type EmbedOptions, InvalidRequestError, StoppedError } from "@bridle/protocol";

/** The number of dimensions: enough to rank texts by the words that they share. */
const dimensions = 64;

/** The embedder of a rehearsal. It computes its vectors in this process from the words of a text, so nothing is sent. */
class RehearsedEmbedder implements Embedder {
  readonly id = "rehearsal";
  readonly account = "rehearsal";
  readonly model = "rehearsal";
  #isClosed = false;

  async embed(texts: readonly string[], { signal }: EmbedOptions = {}) {
    if (this.#isClosed) throw new InvalidRequestError("The embedder is closed. Make a new one.");
    const empty = texts.findIndex((text) => text.trim() === "");
    if (empty >= 0) throw new InvalidRequestError(`Text ${empty} is empty, so it cannot be embedded. Leave it out.`);
    const { toVector } = await import("@bridle/rehearsal");
    const vectors = texts.map((text) => {
      if (signal?.aborted) throw new StoppedError("The call for embeddings was stopped.");
      return Float32Array.from(toVector(text, dimensions));
    });
    return { vectors, usage: { inputTokens: 0 } };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
  }
}

/** Creates an embedder that needs no network, no key and no money. The same text always gets the same vector. */
export function createRehearsedEmbedder(): Embedder {
  return new RehearsedEmbedder();
}
