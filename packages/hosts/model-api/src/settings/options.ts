/** How each backend is set up. Credentials come from here and from nowhere else; the environment is never asked. */
import type { PriceTable } from "../models/prices.ts";

/**
 * A value from a configuration, which may have left it empty. Where a backend needs it, `createModelApiBackend` throws a
 * ConfigError that names the field.
 */
type Setting = string | undefined;

interface CommonOptions {
  /** Sent with every request, such as those that a proxy asks for. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** US dollars per million tokens, by model id; they go before the table that comes with this package. */
  prices?: PriceTable | undefined;
  /** Milliseconds without a byte from the host until a request is given up. Default 120,000; Node ends it after 300,000. */
  idleTimeoutMs?: number | undefined;
  /** How often one request is sent in all, where it fails in passing. Default 4. */
  maxAttempts?: number | undefined;
  /** The model that `checkAuth` asks. Each backend has a default but `openai-compatible`, which takes the first listed. */
  probeModel?: Setting;
}

export interface AnthropicOptions extends CommonOptions {
  id: "anthropic";
  apiKey?: Setting;
  /** Default `https://api.anthropic.com/v1`; one without a path gets `/v1`. */
  baseUrl?: Setting;
}

/** Claude on Google Cloud; exactly one of the three credentials. */
export interface VertexOptions extends CommonOptions {
  id: "vertex";
  project?: Setting;
  /** A region such as `europe-west1`, or `global`, `eu`, `us`. */
  location?: Setting;
  accessToken?: Setting;
  /** Path to the key of a service account. */
  keyFile?: Setting;
  /** Lets Google's library find the login of this machine, with all that it reads for it. */
  credentials?: "application-default" | undefined;
  /** Stands for `https://<location>-aiplatform.googleapis.com`. */
  baseUrl?: Setting;
}

/** Claude on Amazon Bedrock; a pair of keys, or an API key. */
export interface BedrockOptions extends CommonOptions {
  id: "bedrock";
  region?: Setting;
  accessKeyId?: Setting;
  secretAccessKey?: Setting;
  sessionToken?: Setting;
  apiKey?: Setting;
  /** Stands for `https://bedrock-runtime.<region>.amazonaws.com`. */
  baseUrl?: Setting;
}

/** Vercel's AI Gateway; model ids are `provider/model`. */
export interface GatewayOptions extends CommonOptions {
  id: "gateway";
  apiKey?: Setting;
  /** Default `https://ai-gateway.vercel.sh/v4/ai`; one without a path gets `/v4/ai`. */
  baseUrl?: Setting;
}

/** OpenAI's Responses API. */
export interface OpenAIOptions extends CommonOptions {
  id: "openai";
  apiKey?: Setting;
  /** Default `https://api.openai.com/v1`; one without a path gets `/v1`. */
  baseUrl?: Setting;
  organization?: Setting;
  project?: Setting;
}

/** Anything that speaks Chat Completions: Ollama, LM Studio, vLLM. */
export interface OpenAICompatibleOptions extends CommonOptions {
  id: "openai-compatible";
  /** Everything before `/chat/completions`, such as `http://localhost:11434/v1`. */
  baseUrl?: Setting;
  apiKey?: Setting;
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
