/** `embedding_provider`: the provider that turns texts into vectors. Each provider has its own keys, as the hosts define them. */
import { allEmbedders } from "@bridle/project";
import { z } from "zod";
import { refused, text, wholeFrom } from "./fields.ts";

const provider = "The provider that turns texts into vectors.";
const noSampling = "an embedding model generates no text. Remove it.";

const common = {
  dimensions: wholeFrom(1, "The length of the vectors, if the model supports several.").exactOptional(),
  temperature: refused(noSampling),
  top_p: refused(noSampling),
  max_tokens: refused(noSampling),
};

function nameField(defaultModel: string | undefined) {
  const name = "The name of the model.";
  return defaultModel === undefined ? text(name) : text(`${name} Default: ${defaultModel}.`).exactOptional();
}

const mappings = allEmbedders().flatMap(({ id, agent }) =>
  agent
    ? [
        z.strictObject({
          provider: z.literal(id).describe(provider),
          name: nameField(agent.defaultModel),
          ...common,
          ...agent.shape,
        }),
      ]
    : [],
);
const [first, ...others] = mappings;
if (first === undefined) throw new Error("No host of embeddings has keys for an agent file.");

/** The embeddings of an agent. Each provider adds its own keys. */
export interface EmbeddingProviderConfig {
  readonly provider: string;
  readonly name?: string;
  readonly dimensions?: number;
  readonly [key: string]: unknown;
}

export const embeddingProviderSchema = (
  z.discriminatedUnion("provider", [first, ...others]) as unknown as z.ZodType<EmbeddingProviderConfig, object>
).describe("The provider that turns texts into vectors, for documents. Default: embeddings in bridle.yaml.");
