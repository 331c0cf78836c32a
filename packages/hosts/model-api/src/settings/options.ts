/** The options of each backend. Credentials come only from these options, never from the environment. */
import type { PriceTable } from "@bridle/host-shared";

/**
 * A value from a configuration, which may be empty. If a value is missing that a backend requires, `createModelApiBackend` throws a
 * ConfigError that names the field.
 */
type Setting = string | undefined;

interface CommonOptions {
  /** Headers for every request, such as those that a proxy requires. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Prices in US dollars per million tokens, by model id. They override the table in this package. */
  prices?: PriceTable | undefined;
  /**
   * Milliseconds without a byte from the host after which a request is aborted. Default: 120,000. Node.js itself aborts a request after
   * 300,000.
   */
  idleTimeoutMs?: number | undefined;
  /** The maximum number of attempts for a request whose failures are temporary. Default: 4. */
  maxAttempts?: number | undefined;
  /** The model that `checkAuth` uses. Every backend has a default, except `openai-compatible`, which uses the first listed model. */
  probeModel?: Setting;
}

export interface AnthropicOptions extends CommonOptions {
  id: "anthropic";
  apiKey?: Setting;
  /** The address. Default: `https://api.anthropic.com/v1`; an address without a path gets `/v1`. */
  baseUrl?: Setting;
}

/** Options for Claude on Google Cloud. Set exactly one of the three credentials. */
export interface VertexOptions extends CommonOptions {
  id: "vertex";
  project?: Setting;
  /** A region such as `europe-west1`, or `global`, `eu` or `us`. */
  location?: Setting;
  accessToken?: Setting;
  /** The path of a service account's key file. */
  keyFile?: Setting;
  /** Lets Google's library find this machine's login. The library may read files and variables for this. */
  credentials?: "application-default" | undefined;
  /** The address that replaces `https://<location>-aiplatform.googleapis.com`. */
  baseUrl?: Setting;
}

/** Options for Claude on Amazon Bedrock. Set a pair of keys, or an API key. */
export interface BedrockOptions extends CommonOptions {
  id: "bedrock";
  region?: Setting;
  accessKeyId?: Setting;
  secretAccessKey?: Setting;
  sessionToken?: Setting;
  apiKey?: Setting;
  /** The address that replaces `https://bedrock-runtime.<region>.amazonaws.com`. */
  baseUrl?: Setting;
}

/** Options for Vercel's AI Gateway. Model ids have the form `provider/model`. */
export interface GatewayOptions extends CommonOptions {
  id: "gateway";
  apiKey?: Setting;
  /** The address. Default: `https://ai-gateway.vercel.sh/v4/ai`; an address without a path gets `/v4/ai`. */
  baseUrl?: Setting;
}

/** Options for OpenAI's Responses API. */
export interface OpenAIOptions extends CommonOptions {
  id: "openai";
  apiKey?: Setting;
  /** The address. Default: `https://api.openai.com/v1`; an address without a path gets `/v1`. */
  baseUrl?: Setting;
  organization?: Setting;
  project?: Setting;
}

/** Options for every server that speaks Chat Completions, such as Ollama, LM Studio and vLLM. */
export interface OpenAICompatibleOptions extends CommonOptions {
  id: "openai-compatible";
  /** The address before `/chat/completions`, such as `http://localhost:11434/v1`. */
  baseUrl?: Setting;
  apiKey?: Setting;
  /** Whether the model can see images. If so, it also gets the images of tool results. Default: false. */
  resultImages?: boolean | undefined;
}

export type ModelApiOptions =
  | AnthropicOptions
  | VertexOptions
  | BedrockOptions
  | GatewayOptions
  | OpenAIOptions
  | OpenAICompatibleOptions;

export type ModelApiId = ModelApiOptions["id"];

export const modelApiIds = ["anthropic", "vertex", "bedrock", "gateway", "openai", "openai-compatible"] as const;
