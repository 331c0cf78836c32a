import type { ConfigError } from "@bridle/protocol";
import { modelNotFoundError } from "../errors/request-error.ts";
import { importProvider } from "../import-provider.ts";
import {
  missingSettingError,
  readBaseUrl,
  requireSetting,
  settingError,
  settingPath,
} from "../settings/check-settings.ts";
import type { BedrockOptions } from "../settings/options.ts";
import { bedrockModels, claudeAliases } from "./known-models.ts";
import { type Wiring, wholeCalls } from "./wiring.ts";

/**
 * Matches models that do not accept a forced tool call. Bedrock has no structured output, so the module requests an object with a tool. For
 * these models, the module does not force the call, and loses the answer if the model writes text instead (observed on 5.0.101).
 */
const refusesForcedCalls = /claude-(opus-5-5|sonnet-5-5|fable-5-[12])/;

/**
 * Creates the wiring for Claude on Amazon Bedrock. An empty API key keeps the module from reading one from the environment. The pair of
 * keys is passed as a function, because the module would otherwise read a session token from the environment, too.
 */
export function bedrockWiring(options: BedrockOptions): Wiring {
  const { id } = options;
  const region = requireSetting(id, "region", options.region);
  if (!/^[a-z0-9-]+$/.test(region)) throw regionError(region);
  const { credential, mode, settings } = credentialOf(options);
  const baseUrl = readBaseUrl({
    backend: id,
    given: options.baseUrl,
    standard: `https://bedrock-runtime.${region}.${domainOf(region)}`,
  });
  return {
    telemetryProvider: "aws.bedrock",
    baseUrl,
    credential,
    mode,
    authRemedy: `Check ${settingPath(mode === "api_key" ? "apiKey" : "accessKeyId")}, and that the account may use the model in ${region}.`,
    knownModels: bedrockModels,
    prices: {},
    probeModel: "anthropic.claude-haiku-4-5-20251001-v1:0",
    minOutputTokens: 1,
    takesCacheMarks: () => true,
    systemInOne: false,
    beginsInRawParts: true,
    marksErrors: true,
    resultImages: "in-result",
    schemaForm: (model) => (refusesForcedCalls.test(model) ? "words" : "plain"),
    degraded: [
      "Objects are requested with a tool, or in words from the newest models: Bedrock has no structured output.",
    ],
    providerOptions: () => wholeCalls,
    resolveModel(name) {
      const model = Object.hasOwn(claudeAliases, name) ? `anthropic.${claudeAliases[name]}` : name;
      if (/anthropic\.claude-|^arn:aws[\w-]*:bedrock:/.test(model)) return model;
      const reason =
        "This backend serves only Claude's models, with ids such as anthropic.claude-opus-5-5 or us.anthropic.claude-opus-5-5; for others, use gateway or openai-compatible";
      throw modelNotFoundError(reason, {
        backend: id,
        model: name,
        knownModels: bedrockModels.map((known) => known.id),
      });
    },
    async load(fetch) {
      const { createAmazonBedrockAnthropic } = await importProvider(
        id,
        "@ai-sdk/amazon-bedrock",
        () => import("@ai-sdk/amazon-bedrock/anthropic"),
      );
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
    throw missingSettingError(id, "accessKeyId", ` and ${settingPath("secretAccessKey")}, or ${settingPath("apiKey")}`);
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

function regionError(region: string): ConfigError {
  const message = `"${region}" is not a valid AWS region. Set ${settingPath("region")} to a region such as eu-central-1.`;
  return settingError("region", message);
}
