/**
 * How each backend for embeddings is set up, in the words of `embeddings` in `bridle.yaml`. Credentials come from here
 * and from nowhere else. What a backend needs and a configuration leaves empty is a ConfigError that names its field.
 */
import type { LimitOptions } from "@bridle/core";

/** The part of `bridle.yaml` that the options come from. */
export const section = "embeddings";

type Optional<T> = T | undefined;

interface CommonOptions {
  /** The model's name at the provider; on Azure the name of the deployment. */
  readonly model: string;
  /** Asked of the provider, and expected of every vector. By default the model's own. */
  readonly dimensions?: Optional<number>;
  /** Texts in one request, at most. Default 128, or what the provider takes where that is less. */
  readonly batchSize?: Optional<number>;
  /** Requests of the account that may be under way at a time, in this process. Default 4. */
  readonly limits?: LimitOptions;
  /** Milliseconds without a byte from the host until a request is given up. Default 120,000. */
  readonly idleTimeoutMs?: Optional<number>;
  /** How often one request is sent in all, where it fails in passing. Default 4. */
  readonly maxAttempts?: Optional<number>;
}

export interface OpenAIEmbedderOptions extends CommonOptions {
  readonly backend: "openai";
  /** Needed. */
  readonly apiKey?: Optional<string>;
  /** Default `https://api.openai.com/v1`; one without a path gets `/v1`. */
  readonly baseUrl?: Optional<string>;
}

/** `resourceName`, or `baseUrl` for an address that does not follow from it: one of the two. */
export interface AzureEmbedderOptions extends CommonOptions {
  readonly backend: "azure_openai";
  /** Needed. */
  readonly apiKey?: Optional<string>;
  /** The `NAME` of `https://NAME.openai.azure.com`. */
  readonly resourceName?: Optional<string>;
  /** Up to `/openai`, such as `https://NAME.openai.azure.com/openai`. */
  readonly baseUrl?: Optional<string>;
  /** A dated version, such as `2024-10-21`, asks by the deployment's own path. Default: the v1 API, which has no dates. */
  readonly apiVersion?: Optional<string>;
}

/** Ollama, LM Studio, vLLM, and whatever else answers `POST <baseUrl>/embeddings` as OpenAI does. */
export interface CompatibleEmbedderOptions extends CommonOptions {
  readonly backend: "openai-compatible";
  /** Needed: everything before `/embeddings`, such as `http://localhost:11434/v1` for Ollama. */
  readonly baseUrl?: Optional<string>;
  /** Sent as a bearer token; nothing is sent when left out. */
  readonly apiKey?: Optional<string>;
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
