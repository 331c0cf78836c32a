import type { EmbeddingModelV4 } from "@ai-sdk/provider";
import type {
  AzureEmbedderOptions,
  CompatibleEmbedderOptions,
  HostedEmbedderOptions,
  OpenAIEmbedderOptions,
} from "./options.ts";

/**
 * Loads the provider of a backend, and makes its model. Addresses and credentials are those of the options and no
 * others: where a provider would look into the environment for one that is left out, it is given here.
 */
export function openModel(options: HostedEmbedderOptions): Promise<EmbeddingModelV4> {
  switch (options.backend) {
    case "openai":
      return openai(options);
    case "azure_openai":
      return azure(options);
    case "openai-compatible":
      return compatible(options);
  }
}

/**
 * The model's class, from the entry that the provider for Azure takes it from too. The provider's main entry (4.0.118)
 * makes a provider from the environment as it is loaded, and an empty OPENAI_BASE_URL breaks that.
 */
async function openai({ model, apiKey, baseUrl = openaiUrl }: OpenAIEmbedderOptions): Promise<EmbeddingModelV4> {
  const { OpenAIEmbeddingModel } = await import("@ai-sdk/openai/internal");
  return new OpenAIEmbeddingModel(model, {
    provider: "openai.embedding",
    url: ({ path }) => `${withoutSlash(baseUrl)}${path}`,
    headers: { authorization: `Bearer ${apiKey}` },
  });
}

async function azure({ model, apiKey, resourceName, baseUrl, apiVersion }: AzureEmbedderOptions) {
  const { createAzure } = await import("@ai-sdk/azure");
  const provider = createAzure({
    apiKey,
    baseURL: baseUrl ?? `https://${resourceName}.openai.azure.com/openai`,
    ...(apiVersion !== undefined && { apiVersion, useDeploymentBasedUrls: isDated(apiVersion) }),
  });
  return provider.embeddingModel(model);
}

async function compatible({ model, apiKey, baseUrl }: CompatibleEmbedderOptions) {
  const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
  const provider = createOpenAICompatible({
    name: "openai-compatible",
    baseURL: baseUrl,
    ...(apiKey !== undefined && { apiKey }),
  });
  return provider.embeddingModel(model);
}

const openaiUrl = "https://api.openai.com/v1";

/** Azure's v1 API knows `v1`, `preview` and `latest`; a date belongs to the paths by deployment. */
function isDated(apiVersion: string): boolean {
  return /^\d{4}-\d{2}-\d{2}/.test(apiVersion);
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, "");
}
