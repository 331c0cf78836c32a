import { runEmbedding } from "@bridle/host-shared";
import { type Embedder, type EmbedOptions, InvalidRequestError, StoppedError } from "@bridle/protocol";

/** The number of dimensions: enough to rank texts by the words that they share. */
const dimensions = 64;

/** The embedder of a rehearsal. It computes its vectors in this process from the words of a text, so nothing is sent. */
class RehearsedEmbedder implements Embedder {
  readonly id = "rehearsal";
  readonly account = "rehearsal";
  readonly model = "rehearsal";
  readonly #closing = new AbortController();

  async embed(texts: readonly string[], options: EmbedOptions = {}) {
    if (this.#closing.signal.aborted) throw new InvalidRequestError("The embedder is closed. Create a new one.");
    const empty = texts.findIndex((text) => text.trim() === "");
    if (empty >= 0) throw new InvalidRequestError(`Text ${empty} is empty, so it cannot be embedded. Leave it out.`);
    const vectors = await runEmbedding(options, this.#closing.signal, async (signal) => {
      const { toVector } = await import("@bridle/rehearsal");
      return texts.map((text) => {
        signal.throwIfAborted();
        return Float32Array.from(toVector(text, dimensions));
      });
    });
    return { vectors, usage: { inputTokens: 0 } };
  }

  async close(): Promise<void> {
    this.#closing.abort(new StoppedError("The call for embeddings was stopped."));
  }
}

/** Creates an embedder that needs no network, no key and no money. The same text always gets the same vector. */
export function createRehearsedEmbedder(): Embedder {
  return new RehearsedEmbedder();
}
