import type { ConfigError } from "@bridle/protocol";
import { modelNotFoundError } from "../errors/request-error.ts";
import { bedrockModels, claudeAliases } from "../models/known-models.ts";
import { baseUrlOf, fieldOf, missing, requireSetting, wrong } from "../settings/check-settings.ts";
import type { BedrockOptions } from "../settings/options.ts";
import { type Wiring, wholeCalls } from "./wiring.ts";

/**
 * Models that take no forced tool call, by which the module would ask for an object where Bedrock has no structured
 * output: for these it leaves the choice to the model, and loses the answer when that is a text (seen in 5.0.101).
 */
const refusesForcedCalls = /claude-(opus-5-5|sonnet-5-5|fable-5-[12])/;

/**
 * Claude on Amazon Bedrock. An empty API key keeps the module from taking one of the environment, and the pair of keys
 * goes in by a function, since it would look for a session token there too.
 */
export function bedrockWiring(options: BedrockOptions): Wiring {
  const { id } = options;
  const region = requireSetting(id, "region", options.region);
  if (!/^[a-z0-9-]+$/.test(region)) throw noRegion(region);
  const { credential, mode, settings } = credentialOf(options);
  const baseUrl = baseUrlOf(id, options.baseUrl, `https://bedrock-runtime.${region}.${domainOf(region)}`);
  return {
    baseUrl,
    credential,
    mode,
    authRemedy: `Check ${fieldOf(mode === "api_key" ? "apiKey" : "accessKeyId")}, and that the account may use the model in ${region}.`,
    knownModels: bedrockModels,
    prices: {},
    probeModel: "anthropic.claude-haiku-4-5-20251001-v1:0",
    leastOutputTokens: 1,
    takesCacheMarks: () => true,
    systemInOne: false,
    marksErrors: true,
    schemaForm: (model) => (refusesForcedCalls.test(model) ? "words" : "plain"),
    degraded: [
      "An object is asked for by a tool, and by the newest models in words: Bedrock gives them no structured output.",
    ],
    providerOptions: () => wholeCalls,
    resolveModel(name) {
      const model = Object.hasOwn(claudeAliases, name) ? `anthropic.${claudeAliases[name]}` : name;
      if (/anthropic\.claude-|^arn:aws[\w-]*:bedrock:/.test(model)) return model;
      const reason =
        "This backend serves Claude's models only, by ids such as anthropic.claude-opus-5-5 or us.anthropic.claude-opus-5-5; for others take gateway or openai-compatible";
      throw modelNotFoundError(reason, {
        backend: id,
        model: name,
        knownModels: bedrockModels.map((known) => known.id),
      });
    },
    async load(fetch) {
      const { createAmazonBedrockAnthropic } = await import("@ai-sdk/amazon-bedrock/anthropic");
      return createAmazonBedrockAnthropic({
        region,
        baseURL: baseUrl,
        headers: { ...options.headers },
        fetch,
        ...settings,
      });
    },
  };
}

function credentialOf({ id, apiKey, accessKeyId, secretAccessKey, sessionToken }: BedrockOptions) {
  if (apiKey?.trim()) {
    return { credential: apiKey.trim(), mode: "api_key", settings: { apiKey: apiKey.trim() } };
  }
  if (!accessKeyId?.trim())
    throw missing(id, "accessKeyId", ` and ${fieldOf("secretAccessKey")}, or ${fieldOf("apiKey")}`);
  const keys = {
    accessKeyId: accessKeyId.trim(),
    secretAccessKey: requireSetting(id, "secretAccessKey", secretAccessKey),
  };
  const session = sessionToken?.trim() ? { sessionToken: sessionToken.trim() } : {};
  return {
    credential: keys.accessKeyId,
    mode: "access_key",
    settings: { apiKey: "", credentialProvider: async () => ({ ...keys, ...session }) },
  };
}

function domainOf(region: string): string {
  return region.startsWith("cn-") ? "amazonaws.com.cn" : "amazonaws.com";
}

function noRegion(region: string): ConfigError {
  const message = `"${region}" is no region of AWS. Write one such as eu-central-1 in ${fieldOf("region")}.`;
  return wrong("region", message);
}
