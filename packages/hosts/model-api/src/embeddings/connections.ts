import type { EmbeddingModelV4 } from "@ai-sdk/provider";
import { sha256 } from "@bridle/core";
import { suggestion } from "@bridle/protocol";
import { importProvider } from "../import-provider.ts";
import { readBaseUrl, requireSetting, settingError } from "../settings/check-settings.ts";
import {
  type AzureEmbedderOptions,
  type CompatibleEmbedderOptions,
  embedderBackends,
  type HostedEmbedderOptions,
  type OpenAIEmbedderOptions,
  section,
} from "./options.ts";

/** The differences between backends. */
export interface EmbeddingConnection {
  /** The part of the address before the path of a request. */
  readonly baseUrl: string;
  readonly apiKey?: string;
  /**
   * Loads the provider and creates its model, which sends requests with `fetch`. Addresses and credentials come only from the options.
   * Every value that a provider would read from the environment is passed here.
   */
  open(fetch: typeof globalThis.fetch): Promise<EmbeddingModelV4>;
}

/**
 * Returns the host and a short hash of the credential. The account is separate from that of a chat model with the same key, because hosts
 * count limits for each model, and one model must not slow down the other.
 */
export function createAccountId(backend: string, { baseUrl, apiKey }: EmbeddingConnection): string {
  const { host } = new URL(baseUrl);
  return apiKey === undefined ? `${backend}:${host}` : `${backend}:${host}:${sha256(apiKey).slice(0, 12)}`;
}

/** @throws ConfigError for a setting that cannot work. */
export function connectionFor(options: HostedEmbedderOptions): EmbeddingConnection {
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
 * Describes the connection to OpenAI. The class comes from the entry that the Azure provider also uses. The main entry (4.0.118) creates a
 * provider from the environment when it is loaded, and fails if OPENAI_BASE_URL is empty.
 */
function openai(options: OpenAIEmbedderOptions): EmbeddingConnection {
  const apiKey = requireSetting("openai", "apiKey", options.apiKey, aKey);
  const baseUrl = readBaseUrl({
    backend: "openai",
    given: options.baseUrl,
    standard: "https://api.openai.com/v1",
    path: "/v1",
    section,
  });
  return {
    baseUrl,
    apiKey,
    async open(fetch) {
      const { OpenAIEmbeddingModel } = await importProvider(
        "openai",
        "@ai-sdk/openai",
        () => import("@ai-sdk/openai/internal"),
      );
      return new OpenAIEmbeddingModel(options.model, {
        provider: "openai.embedding",
        url: ({ path }) => `${baseUrl}${path}`,
        headers: { authorization: `Bearer ${apiKey}` },
        fetch,
      });
    },
  };
}

function azure(options: AzureEmbedderOptions): EmbeddingConnection {
  const { model, apiVersion } = options;
  const apiKey = requireSetting("azure_openai", "apiKey", options.apiKey, aKey);
  const baseUrl = azureAddress(options);
  return {
    baseUrl,
    apiKey,
    async open(fetch) {
      const { createAzure } = await importProvider("azure_openai", "@ai-sdk/azure", () => import("@ai-sdk/azure"));
      const version = apiVersion === undefined ? {} : { apiVersion, useDeploymentBasedUrls: isDated(apiVersion) };
      return createAzure({ apiKey, baseURL: baseUrl, fetch, ...version }).embeddingModel(model);
    },
  };
}

function compatible(options: CompatibleEmbedderOptions): EmbeddingConnection {
  const given = requireSetting("openai-compatible", "baseUrl", options.baseUrl, anAddress);
  const baseUrl = readBaseUrl({ backend: "openai-compatible", given, standard: "", section });
  const apiKey = options.apiKey?.trim();
  const key = apiKey ? { apiKey } : {};
  return {
    baseUrl,
    ...key,
    async open(fetch) {
      const { createOpenAICompatible } = await importProvider(
        "openai-compatible",
        "@ai-sdk/openai-compatible",
        () => import("@ai-sdk/openai-compatible"),
      );
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
  throw settingError("backend", `There is no backend "${backend}" for embeddings. ${known}${near}`, section);
}

const aKey = { section, what: "an API key; Bridle looks for none elsewhere" };
const anAddress = { section, what: "an address such as http://localhost:11434/v1" };

/**
 * Returns the address of an Azure resource. The resource name becomes part of the host name, so it must not contain a character that ends a
 * host name.
 */
function azureAddress({ resourceName, baseUrl }: AzureEmbedderOptions): string {
  if (!resourceName === !baseUrl) throw settingError("resourceName", oneOfTwo, section);
  if (baseUrl) return readBaseUrl({ backend: "azure_openai", given: baseUrl, standard: "", section });
  if (/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i.test(resourceName ?? ""))
    return `https://${resourceName}.openai.azure.com/openai`;
  const message = `"${resourceName}" is not a valid resource name. Use the NAME in NAME.openai.azure.com.`;
  throw settingError("resourceName", message, section);
}

const oneOfTwo = "The backend azure_openai needs either resourceName or baseUrl. Set one of the two.";

/**
 * Whether an API version is dated. Azure's v1 API accepts `v1`, `preview` and `latest`. Requests with a dated version use the deployment's
 * path.
 */
function isDated(apiVersion: string): boolean {
  return /^\d{4}-\d{2}-\d{2}/.test(apiVersion);
}
