/**
 * The options of each backend for embeddings, with the names of `embeddings` in `bridle.yaml`. Credentials come only from these options. If
 * a required option is empty, creating the embedder throws a ConfigError that names the field.
 */
import type { LimitOptions } from "@bridle/core";

/** The section of `bridle.yaml` that the options come from. */
export const section = "embeddings";

type Optional<T> = T | undefined;

interface CommonOptions {
  /** The model's name at the provider, or the deployment's name on Azure. */
  readonly model: string;
  /** The length of the vectors. Default: the model's own. */
  readonly dimensions?: Optional<number>;
  /** The maximum number of texts in one request. Default: 128, or the provider's own limit if that is lower. */
  readonly batchSize?: Optional<number>;
  /** Limits for the account's requests in this process. By default, 4 requests run at a time. */
  readonly limits?: LimitOptions;
  /** Milliseconds without a byte from the host after which a request is aborted. Default: 120,000. */
  readonly idleTimeoutMs?: Optional<number>;
  /** The maximum number of attempts for a request whose failures are temporary. Default: 4. */
  readonly maxAttempts?: Optional<number>;
}

export interface OpenAIEmbedderOptions extends CommonOptions {
  readonly backend: "openai";
  /** The API key. Required. */
  readonly apiKey?: Optional<string>;
  /** The address. Default: `https://api.openai.com/v1`; an address without a path gets `/v1`. */
  readonly baseUrl?: Optional<string>;
}

/** Options for Azure OpenAI. Set either `resourceName`, or `baseUrl` for an address that does not contain the name. */
export interface AzureEmbedderOptions extends CommonOptions {
  readonly backend: "azure_openai";
  /** The API key. Required. */
  readonly apiKey?: Optional<string>;
  /** The resource's name: `NAME` in `https://NAME.openai.azure.com`. */
  readonly resourceName?: Optional<string>;
  /** The address up to `/openai`, such as `https://NAME.openai.azure.com/openai`. */
  readonly baseUrl?: Optional<string>;
  /**
   * The API version. With a dated version such as `2024-10-21`, requests use the deployment's own path. Default: the v1 API, which has no
   * dates.
   */
  readonly apiVersion?: Optional<string>;
}

/** Options for Ollama, LM Studio, vLLM, and every other server that answers `POST <baseUrl>/embeddings` like OpenAI. */
export interface CompatibleEmbedderOptions extends CommonOptions {
  readonly backend: "openai-compatible";
  /** The address before `/embeddings`, such as `http://localhost:11434/v1` for Ollama. Required. */
  readonly baseUrl?: Optional<string>;
  /** A key that is sent as a bearer token. Without it, no credential is sent. */
  readonly apiKey?: Optional<string>;
}

/** The options of every backend that has a host. */
export type HostedEmbedderOptions = OpenAIEmbedderOptions | AzureEmbedderOptions | CompatibleEmbedderOptions;

export type EmbedderOptions = HostedEmbedderOptions | { readonly backend: "none" };

export const embedderBackends: readonly EmbedderOptions["backend"][] = [
  "openai",
  "azure_openai",
  "openai-compatible",
  "none",
];
