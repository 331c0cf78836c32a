/** The schema of `embeddings`: each host allows exactly its own keys. */
import { createEmbeddingsSchema } from "../registries/embedder-registry.ts";

export const embeddingsSchema = createEmbeddingsSchema();
