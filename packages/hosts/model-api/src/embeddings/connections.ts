import type { EmbeddingModelV4 } from "@ai-sdk/provider";
import { sha256 } from "@bridle/core";
import { suggestion } from "@bridle/protocol";
import { baseUrlOf, requireSetting, wrong } from "../settings/check-settings.ts";
import {
  type AzureEmbedderOptions,
  type CompatibleEmbedderOptions,
  embedderBackends,
  type HostedEmbedderOptions,
  type OpenAIEmbedderOptions,
  section,
} from "./options.ts";

/** How a host is reached: all that differs from one backend to another. */
export interface Connection {
  /** Everything before the path of a request. */
  readonly baseUrl: string;
  /** The credential. */
  readonly apiKey?: string;
  /**
   * Loads the provider and makes its model, which sends by `fetch`. Addresses and credentials are those of the options
   * and no others: where a provider would look into the environment for one that is left out, it is given here.
   */
  open(fetch: typeof globalThis.fetch): Promise<EmbeddingModelV4>;
}

/**
 * The host and a short hash of the credential, which is all that tells two accounts of one host apart. An account of its
 * own, also where a chat model has the same key: hosts count their limits for each model, and one must not slow the other.
 */
export function accountOf(backend: string, { baseUrl, apiKey }: Connection): string {
  const { host } = new URL(baseUrl);
  return apiKey === undefined ? `${backend}:${host}` : `${backend}:${host}:${sha256(apiKey).slice(0, 12)}`;
}

/** @throws ConfigError for a setting that cannot work. */
export function connectionFor(options: HostedEmbedderOptions): Connection {
  switch (options.backend) {
    case "openai":
      return openai(options);
    case "azure_openai":
      return azure(options);
    case "openai-compatible":
      return compatible(options);
    default:
      return unknown(options);
  }
}

/**
 * The model's class comes from the entry that the provider for Azure takes it from too. The provider's main entry
 * (4.0.118) makes a provider from the environment as it is loaded, and an empty OPENAI_BASE_URL breaks that.
 */
function openai(options: OpenAIEmbedderOptions): Connection {
  const apiKey = requireSetting("openai", "apiKey", options.apiKey, aKey);
  const baseUrl = baseUrlOf("openai", options.baseUrl, "https://api.openai.com/v1", "/v1", section);
  return {
    baseUrl,
    apiKey,
    async open(fetch) {
      const { OpenAIEmbeddingModel } = await import("@ai-sdk/openai/internal");
      return new OpenAIEmbeddingModel(options.model, {
        provider: "openai.embedding",
        url: ({ path }) => `${baseUrl}${path}`,
        headers: { authorization: `Bearer ${apiKey}` },
        fetch,
      });
    },
  };
}

function azure(options: AzureEmbedderOptions): Connection {
  const { model, apiVersion } = options;
  const apiKey = requireSetting("azure_openai", "apiKey", options.apiKey, aKey);
  const baseUrl = azureAddress(options);
  return {
    baseUrl,
    apiKey,
    async open(fetch) {
      const { createAzure } = await import("@ai-sdk/azure");
      const version = apiVersion === undefined ? {} : { apiVersion, useDeploymentBasedUrls: isDated(apiVersion) };
      return createAzure({ apiKey, baseURL: baseUrl, fetch, ...version }).embeddingModel(model);
    },
  };
}

function compatible(options: CompatibleEmbedderOptions): Connection {
  const given = requireSetting("openai-compatible", "baseUrl", options.baseUrl, anAddress);
  const baseUrl = baseUrlOf("openai-compatible", given, "", "", section);
  const apiKey = options.apiKey?.trim();
  const key = apiKey ? { apiKey } : {};
  return {
    baseUrl,
    ...key,
    async open(fetch) {
      const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
      return createOpenAICompatible({ name: "openai-compatible", baseURL: baseUrl, fetch, ...key }).embeddingModel(
        options.model,
      );
    },
  };
}

function unknown(options: never): never {
  const { backend }: { backend?: string } = options;
  const known = `Choose one of ${embedderBackends.join(", ")}.`;
  const near = suggestion(String(backend), embedderBackends);
  throw wrong("backend", `There is no backend "${backend}" for embeddings. ${known}${near}`, section);
}

const aKey = { section, what: "a key of the account that pays; none is looked for elsewhere" };
const anAddress = { section, what: "an address such as http://localhost:11434/v1" };

/** The name becomes a part of the host's name, so that it must not be able to end it. */
function azureAddress({ resourceName, baseUrl }: AzureEmbedderOptions): string {
  if (!resourceName === !baseUrl) throw wrong("resourceName", oneOfTwo, section);
  if (baseUrl) return baseUrlOf("azure_openai", baseUrl, "", "", section);
  if (/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i.test(resourceName ?? ""))
    return `https://${resourceName}.openai.azure.com/openai`;
  const message = `"${resourceName}" is no name of a resource. Give the NAME of NAME.openai.azure.com.`;
  throw wrong("resourceName", message, section);
}

const oneOfTwo = "The backend azure_openai needs either resourceName or baseUrl. Set one of the two.";

/** Azure's v1 API knows `v1`, `preview` and `latest`; a date belongs to the paths by deployment. */
function isDated(apiVersion: string): boolean {
  return /^\d{4}-\d{2}-\d{2}/.test(apiVersion);
}
