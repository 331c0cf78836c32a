import { ConfigError, type Embedder } from "@bridle/protocol";
import { embedderBackends } from "./options.ts";

const hosted = embedderBackends.filter((backend) => backend !== "none").join(", ");

/** Creates the embedder of a project without embeddings. Each call fails with an error that names the setting to change. */
export function createNoEmbedder(): Embedder {
  return {
    id: "none",
    model: "none",
    account: "none",
    async embed() {
      throw new ConfigError(
        "This feature needs embeddings, but the project has none (embeddings.backend: none). " +
          `Set embeddings.backend in bridle.yaml to one of ${hosted}, and embeddings.model to one of its models.`,
        { field: "embeddings.backend" },
      );
    },
    close: async () => {},
  };
}
