import { claudeAliases, claudeModels } from "../models.ts";
import type { AnthropicOptions } from "../options.ts";
import { anthropicPrices } from "../prices.ts";
import { baseUrlOf, fieldOf, requireSetting } from "../settings.ts";
import { type Wiring, wholeCalls } from "./wiring.ts";

/** Anthropic's own API. Key and address are always given to the module, which would else look in the environment. */
export function anthropicWiring(options: AnthropicOptions): Wiring {
  const apiKey = requireSetting(options.id, "apiKey", options.apiKey);
  const baseUrl = baseUrlOf(options.id, options.baseUrl, "https://api.anthropic.com/v1", "/v1");
  return {
    baseUrl,
    credential: apiKey,
    mode: "api_key",
    authRemedy: `Check ${fieldOf("apiKey")}; keys are made at platform.claude.com.`,
    knownModels: claudeModels,
    prices: anthropicPrices,
    probeModel: "claude-haiku-4-5",
    leastOutputTokens: 1,
    takesCacheMarks: () => true,
    systemInOne: false,
    marksErrors: true,
    schemaForm: () => "plain",
    degraded: [],
    providerOptions: () => wholeCalls,
    resolveModel: (name) => claudeAliases[name] ?? name,
    listing: { path: "/models?limit=1000", headers: { "x-api-key": apiKey, "anthropic-version": "2023-06-01" } },
    async load(fetch) {
      const { createAnthropic } = await import("@ai-sdk/anthropic");
      return createAnthropic({ apiKey, baseURL: baseUrl, headers: { ...options.headers }, fetch });
    },
  };
}
