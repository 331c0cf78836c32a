import type { Embedder } from "@bridle/protocol";

/** Creates an embedder that counts its requests. A vector contains how often each word is in the text, and the length of the text. */
export function createCountingEmbedder(
  words: readonly string[],
  model = "words",
): Embedder & { readonly texts: string[] } {
  const texts: string[] = [];
  return {
    id: "test",
    model,
    account: "test",
    texts,
    async embed(given) {
      texts.push(...given);
      const vectors = given.map((text) => {
        const lower = text.toLowerCase();
        return Float32Array.from([...words.map((word) => lower.split(word).length - 1), 0.01]);
      });
      return { vectors, usage: { inputTokens: 0 } };
    },
    async close() {},
  };
}
