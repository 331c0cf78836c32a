/** `embedding_provider`: the provider that turns texts into vectors. Each provider has its own keys. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how the file refers to the environment
import { z } from "zod";
import { address, refused, text, wholeFrom } from "./fields.ts";

const provider = "The provider that turns texts into vectors.";
const noSampling = "an embedding model generates no text. Remove it.";

const common = {
  name: text("The name of the model, such as text-embedding-3-small."),
  dimensions: wholeFrom(1, "The length of the vectors, if the model supports several.").exactOptional(),
  temperature: refused(noSampling),
  top_p: refused(noSampling),
  max_tokens: refused(noSampling),
};

const options = [
  z.strictObject({
    provider: z.literal("openai").describe(provider),
    ...common,
    api_key: text("The API key, such as ${OPENAI_API_KEY}.").exactOptional(),
    endpoint: address("An address for requests instead of the provider's default.").exactOptional(),
  }),
  z.strictObject({
    provider: z.literal("azure_openai").describe(provider),
    ...common,
    api_key: text("The API key, such as ${AZURE_OPENAI_API_KEY}.").exactOptional(),
    endpoint: address("The address of the resource, such as https://my-resource.openai.azure.com.").exactOptional(),
    api_version: text("The version of the API.").exactOptional(),
  }),
  z.strictObject({
    provider: z.literal("ollama").describe(provider),
    ...common,
    endpoint: address("The address of Ollama. Default: http://localhost:11434.").exactOptional(),
  }),
  z.strictObject({
    provider: z.literal("openai-compatible").describe(provider),
    ...common,
    endpoint: address("The address of the server, such as http://localhost:8000/v1.").exactOptional(),
    api_key: text("The API key, if the server needs one.").exactOptional(),
  }),
  z.strictObject({
    provider: z.literal("local").describe(provider),
    ...common,
  }),
] as const;

export const embeddingProviderSchema = z
  .discriminatedUnion("provider", options)
  .describe("The provider that turns texts into vectors, for documents. Default: embeddings in bridle.yaml.");

export type EmbeddingProviderConfig = z.output<typeof embeddingProviderSchema>;
