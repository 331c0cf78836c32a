/** `embedding_provider`: who turns texts into vectors; for each provider exactly its keys. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how the file refers to the environment
import { z } from "zod";
import { address, refused, text, wholeFrom } from "./fields.ts";

const provider = "Who turns texts into vectors.";
const noSampling = "an embedding has no words to choose. Remove it.";

const common = {
  name: text("The model, such as text-embedding-3-small."),
  dimensions: wholeFrom(1, "The length of each vector, where the model has a choice.").exactOptional(),
  temperature: refused(noSampling),
  top_p: refused(noSampling),
  max_tokens: refused(noSampling),
};

const options = [
  z.strictObject({
    provider: z.literal("openai").describe(provider),
    ...common,
    api_key: text("The key of the account that pays, such as ${OPENAI_API_KEY}.").exactOptional(),
    endpoint: address("Where requests go instead of the provider's own address.").exactOptional(),
  }),
  z.strictObject({
    provider: z.literal("azure_openai").describe(provider),
    ...common,
    api_key: text("The key of the account that pays, such as ${AZURE_OPENAI_API_KEY}.").exactOptional(),
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
    api_key: text("A key, where the server wants one.").exactOptional(),
  }),
  z.strictObject({
    provider: z.literal("local").describe(provider),
    ...common,
  }),
] as const;

export const embeddingProviderSchema = z
  .discriminatedUnion("provider", options)
  .describe("Who turns texts into vectors, for documents. Default: embeddings of bridle.yaml.");

export type EmbeddingProviderConfig = z.output<typeof embeddingProviderSchema>;
