/** `embeddings`: for each host exactly its keys. */
import { createEmbeddingsSchema } from "../embeddings/embedder-registry.ts";

export const embeddingsSchema = createEmbeddingsSchema();
