import { ConfigError, type Embedder } from "@bridle/protocol";
import { embedderBackends } from "./options.ts";

const hosted = embedderBackends.filter((backend) => backend !== "none").join(", ");

/** The embedder of a project that says it has none. */
export function createNoEmbedder(): Embedder {
  return {
    id: "none",
    model: "none",
    account: "none",
    async embed() {
      throw new ConfigError(
        "This needs embeddings, and the project has none (embeddings.backend: none). " +
          `Set embeddings.backend in bridle.yaml to one of ${hosted}, and embeddings.model to one of its models.`,
        { field: "embeddings.backend" },
      );
    },
    close: async () => {},
  };
}
