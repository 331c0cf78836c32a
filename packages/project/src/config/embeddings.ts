/** `embeddings`: for each backend exactly its keys. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how the file refers to the environment
import { atMostOne } from "@bridle/protocol";
import { z } from "zod";

const text = (what: string) => z.string().min(1).optional().describe(what);
const address = (what: string) =>
  z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(what);
const backend = "Who turns texts into vectors. none: an operation that needs vectors fails.";

const common = {
  model: z.string().min(1).describe("The model, such as text-embedding-3-small."),
  dimensions: z.int().min(1).optional().describe("The length of each vector, where the model has a choice."),
  idleTimeoutMs: z
    .int()
    .min(1)
    .max(300_000) // Node itself ends a request then
    .exactOptional()
    .describe(
      "Milliseconds without a byte from the host until a request is given up, 300000 at most. Default: 120000.",
    ),
  batchSize: z.int().min(1).optional().describe("The most texts in one request."),
};

const options = [
  z.strictObject({
    backend: z.literal("openai").describe(backend),
    ...common,
    apiKey: text("The key of the account that pays, such as ${OPENAI_API_KEY}."),
    baseUrl: address("Where requests go instead of the provider's own address."),
  }),
  z
    .strictObject({
      backend: z.literal("azure_openai").describe(backend),
      ...common,
      apiKey: text("The key of the account that pays, such as ${AZURE_OPENAI_API_KEY}."),
      resourceName: text("The resource: NAME in NAME.openai.azure.com."),
      baseUrl: address("The address of the resource, instead of its name."),
      apiVersion: text("The version of the API."),
    })
    .check(atMostOne([["resourceName"], ["baseUrl"]])),
  z.strictObject({
    backend: z.literal("openai-compatible").describe(backend),
    ...common,
    baseUrl: address("The address of the server, such as http://localhost:8000/v1."),
    apiKey: text("A key, where the server wants one."),
  }),
  z.strictObject({
    backend: z.literal("ollama").describe(backend),
    ...common,
    baseUrl: address("The address of Ollama. Default: http://localhost:11434."),
  }),
  z.strictObject({
    backend: z.literal("local").describe(backend),
    model: z
      .string()
      .min(1)
      .describe(
        "A model that Transformers.js runs in this process: its name, such as Xenova/all-MiniLM-L6-v2, or a folder, such as ./models/minilm. Needs the package @huggingface/transformers in the project.",
      ),
    batchSize: common.batchSize,
  }),
  z.strictObject({ backend: z.literal("none").describe(backend) }),
] as const;

export const embeddingsSchema = z.discriminatedUnion("backend", options);

/** Who turns texts into vectors, and with what it is reached. */
export type EmbeddingsConfig = z.output<typeof embeddingsSchema>;
