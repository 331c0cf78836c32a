/** What every backend for embeddings takes. */
interface CommonOptions {
  /** The model's name at the provider; on Azure the name of the deployment. */
  readonly model: string;
  /** Asked of the provider, and expected of every vector. By default the model's own. */
  readonly dimensions?: number;
  /** Texts in one request, at most. Default 128, or what the provider takes where that is less. */
  readonly batchSize?: number;
}

export interface OpenAIEmbedderOptions extends CommonOptions {
  readonly backend: "openai";
  readonly apiKey: string;
  /** Default `https://api.openai.com/v1`. */
  readonly baseUrl?: string;
}

/** `resourceName`, or `baseUrl` for an address that does not follow from it: one of the two. */
export interface AzureEmbedderOptions extends CommonOptions {
  readonly backend: "azure_openai";
  readonly apiKey: string;
  /** The `NAME` of `https://NAME.openai.azure.com`. */
  readonly resourceName?: string;
  /** Up to `/openai`, such as `https://NAME.openai.azure.com/openai`. */
  readonly baseUrl?: string;
  /** A dated version, such as `2024-10-21`, asks by the deployment's own path. Default: the v1 API, which has no dates. */
  readonly apiVersion?: string;
}

/** Ollama, LM Studio, vLLM, and whatever else answers `POST <baseUrl>/embeddings` as OpenAI does. */
export interface CompatibleEmbedderOptions extends CommonOptions {
  readonly backend: "openai-compatible";
  /** Such as `http://localhost:11434/v1` for Ollama. */
  readonly baseUrl: string;
  /** Sent as a bearer token; nothing is sent when left out. */
  readonly apiKey?: string;
}

/** One of the hosts that embed. */
export type HostedEmbedderOptions = OpenAIEmbedderOptions | AzureEmbedderOptions | CompatibleEmbedderOptions;

export type EmbedderOptions = HostedEmbedderOptions | { readonly backend: "none" };

export const embedderBackends: readonly EmbedderOptions["backend"][] = [
  "openai",
  "azure_openai",
  "openai-compatible",
  "none",
];
