/** The embedding hosts, in display order. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how files refer to the environment
import {
  agentFields,
  atMostOne,
  type EmbedderConfig,
  type EmbedderDefinition,
  override,
  settingFields,
} from "@bridle/protocol";
import { z } from "zod";
import type { EmbedderOptions } from "../embeddings/options.ts";
import { endpoint, optionalText, withPath } from "./agent-endpoint.ts";

const { address, text } = settingFields;

/** The keys of every embedding host. */
const common = {
  model: z.string().min(1).describe("The model, such as text-embedding-3-small."),
  dimensions: z.int().min(1).optional().describe("The length of each vector, if the model supports several."),
  idleTimeoutMs: z
    .int()
    .min(1)
    .max(300_000) // after this time, Node.js itself ends a request
    .exactOptional()
    .describe(
      "Milliseconds without data from the host after which a request is aborted, at most 300000. Default: 120000.",
    ),
  batchSize: z.int().min(1).optional().describe("The maximum number of texts in one request."),
};

const plainKeys = Object.keys(common);
const secretKeys = ["apiKey"];

async function create(config: EmbedderConfig) {
  const { createApiEmbedder } = await import("../embeddings/create-embedder.ts");
  return createApiEmbedder(config as EmbedderOptions); // the schema has checked the settings
}

const openai = {
  id: "openai",
  settings: {
    shape: {
      ...common,
      apiKey: text("The key of the account that pays, such as ${OPENAI_API_KEY}."),
      baseUrl: address("The address for requests, instead of the provider's own address."),
    },
    plainKeys,
    secretKeys,
  },
  needs: [{ ways: [{ apiKey: "${OPENAI_API_KEY}" }] }],
  agent: {
    defaultModel: "text-embedding-3-small",
    shape: {
      api_key: agentFields.key("OPENAI_API_KEY"),
      endpoint: endpoint("The address for requests, instead of the provider's own address."),
    },
    usualKey: { variable: "OPENAI_API_KEY" },
  },
  create,
} satisfies EmbedderDefinition;

const azure = {
  id: "azure_openai",
  settings: {
    shape: {
      ...common,
      apiKey: text("The key of the account that pays, such as ${AZURE_OPENAI_API_KEY}."),
      resourceName: text("The resource: NAME in NAME.openai.azure.com."),
      baseUrl: address("The address of the resource, instead of its name."),
      apiVersion: text("The version of the API."),
    },
    check: atMostOne([["resourceName"], ["baseUrl"]]),
    plainKeys,
    secretKeys,
  },
  needs: [
    { ways: [{ apiKey: "${AZURE_OPENAI_API_KEY}" }] },
    { ways: [{ resourceName: "my-resource" }, { baseUrl: "https://my-resource.openai.azure.com/openai" }] },
  ],
  agent: {
    shape: {
      api_key: agentFields.key("AZURE_OPENAI_API_KEY"),
      endpoint: endpoint("The address of the resource, such as https://my-resource.openai.azure.com."),
      api_version: optionalText("The version of the API."),
    },
    usualKey: { variable: "AZURE_OPENAI_API_KEY", isForAddress: true },
    settings: ({ endpoint: resource }) =>
      typeof resource === "string" ? { baseUrl: withPath(resource, "/openai") } : {},
  },
  create,
} satisfies EmbedderDefinition;

const compatible = {
  id: "openai-compatible",
  settings: {
    shape: {
      ...common,
      baseUrl: address("The address of the server, such as http://localhost:8000/v1."),
      apiKey: text("A key, if the server needs one."),
    },
    plainKeys,
    secretKeys,
  },
  needs: [{ ways: [{ baseUrl: "http://localhost:11434/v1" }] }],
  agent: {
    shape: {
      endpoint: endpoint("The address of the server, such as http://localhost:8000/v1."),
      api_key: optionalText("A key, if the server needs one."),
    },
  },
  create,
} satisfies EmbedderDefinition;

const ollama = {
  id: "ollama",
  settings: {
    shape: { ...common, baseUrl: address("The address of Ollama. Default: http://localhost:11434.") },
    plainKeys,
  },
  needs: [],
  agent: {
    defaultModel: "nomic-embed-text",
    shape: { endpoint: endpoint("The address of Ollama. Default: http://localhost:11434.") },
  },
  async create({ baseUrl = "http://localhost:11434", ...config }) {
    const url = withPath(String(baseUrl), "/v1"); // below this path, Ollama speaks OpenAI's protocol
    const embedder = await create({ ...config, backend: "openai-compatible", baseUrl: url });
    return override(embedder, { id: "ollama" });
  },
} satisfies EmbedderDefinition;

export const hostedEmbedders = [openai, azure, compatible, ollama] as const;
