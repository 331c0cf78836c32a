import { anthropicPrices } from "@bridle/host-shared";
import { importProvider } from "../import-provider.ts";
import { readBaseUrl, requireSetting, settingPath } from "../settings/check-settings.ts";
import type { AnthropicOptions } from "../settings/options.ts";
import { claudeAliases, claudeModels } from "./known-models.ts";
import { type Wiring, wholeCalls } from "./wiring.ts";

const version = "2023-06-01";

/**
 * Creates the wiring for Anthropic's own API. The class comes from the entry that the modules for clouds also use: the main entry (4.0.105)
 * creates a provider from the environment when it is loaded, and fails if ANTHROPIC_BASE_URL is empty.
 */
export function anthropicWiring(options: AnthropicOptions): Wiring {
  const apiKey = requireSetting(options.id, "apiKey", options.apiKey);
  const baseUrl = readBaseUrl({
    backend: options.id,
    given: options.baseUrl,
    standard: "https://api.anthropic.com/v1",
    path: "/v1",
  });
  return {
    baseUrl,
    credential: apiKey,
    mode: "api_key",
    authRemedy: `Check ${settingPath("apiKey")}; create keys at platform.claude.com.`,
    knownModels: claudeModels,
    prices: anthropicPrices,
    probeModel: "claude-haiku-4-5",
    minOutputTokens: 1,
    takesCacheMarks: () => true,
    systemInOne: false,
    marksErrors: true,
    resultImages: "in-result",
    schemaForm: () => "plain",
    degraded: [],
    providerOptions: () => wholeCalls,
    resolveModel: (name) => claudeAliases[name] ?? name,
    listing: { path: "/models?limit=1000", headers: { "x-api-key": apiKey, "anthropic-version": version } },
    async load(fetch) {
      const { AnthropicMessagesLanguageModel } = await importProvider(
        "anthropic",
        "@ai-sdk/anthropic",
        () => import("@ai-sdk/anthropic/internal"),
      );
      const headers = { "anthropic-version": version, "x-api-key": apiKey, ...options.headers };
      const config = { provider: "anthropic.messages", baseURL: baseUrl, headers, fetch };
      return (model) => new AnthropicMessagesLanguageModel(model, config);
    },
  };
}
