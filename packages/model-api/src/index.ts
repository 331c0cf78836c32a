export { createEmbedder } from "./embeddings/create-embedder.ts";
export type { EmbedderOptions } from "./embeddings/options.ts";
