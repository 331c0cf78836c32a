import type { EmbedderConfig, EmbedderDefinition } from "@bridle/protocol";
import { z } from "zod";

const batchSize = z.int().min(1).optional().describe("The maximum number of texts in one request.");

export interface LocalConfig extends EmbedderConfig {
  readonly model: string;
  readonly batchSize?: number;
}

/** The embedding host `local`: a model that runs in this process. */
export const localEmbedder = {
  id: "local",
  settings: {
    shape: {
      model: z
        .string()
        .min(1)
        .describe(
          "A model that Transformers.js runs in this process: its name, such as Xenova/all-MiniLM-L6-v2, or a folder, such as ./models/minilm. Needs the package @huggingface/transformers in the project.",
        ),
      batchSize,
    },
    plainKeys: ["model", "batchSize"],
  },
  needs: [],
  projectPackage: "@huggingface/transformers",
  agent: { shape: {} },
  async create({ model, batchSize: size }, { projectDir }) {
    const { createLocalEmbedder } = await import("./local-embedder.ts");
    return createLocalEmbedder({ model, batchSize: size, projectDir });
  },
} satisfies EmbedderDefinition<LocalConfig>;

/** The embedding host of a project without embeddings. */
export const noEmbedder = {
  id: "none",
  settings: { shape: {} },
  needs: [],
  isNone: true,
  async create() {
    const { createApiEmbedder } = await import("@bridle/model-api");
    return createApiEmbedder({ backend: "none" });
  },
} satisfies EmbedderDefinition;
