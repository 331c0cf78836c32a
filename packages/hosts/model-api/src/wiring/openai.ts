import { sha256 } from "@bridle/core";
import { openaiPrices } from "@bridle/host-shared";
import { importProvider } from "../import-provider.ts";
import { readBaseUrl, requireSetting, settingPath } from "../settings/check-settings.ts";
import type { OpenAIOptions } from "../settings/options.ts";
import { openaiModels } from "./known-models.ts";
import type { Wiring } from "./wiring.ts";

/**
 * Creates the wiring for OpenAI's Responses API. The host stores nothing: every request contains the whole conversation, with reasoning in
 * the encrypted form that the host returned.
 *
 * The class comes from the entry that the Azure module also uses: the main entry (4.0.118) creates a provider from the environment when it
 * is loaded, and fails if OPENAI_BASE_URL is empty.
 */
export function openaiWiring(options: OpenAIOptions): Wiring {
  const apiKey = requireSetting(options.id, "apiKey", options.apiKey);
  const baseUrl = readBaseUrl({
    backend: options.id,
    given: options.baseUrl,
    standard: "https://api.openai.com/v1",
    path: "/v1",
  });
  const { organization, project } = options;
  return {
    baseUrl,
    credential: [apiKey, organization, project].join(" "),
    mode: "api_key",
    authRemedy: `Check ${settingPath("apiKey")}; create keys at platform.openai.com.`,
    knownModels: openaiModels,
    prices: openaiPrices,
    probeModel: "gpt-6-luna",
    minOutputTokens: 16, // the API does not accept a lower limit
    takesCacheMarks: () => false,
    systemInOne: true,
    marksErrors: false,
    resultImages: "in-result",
    schemaForm: () => "openai",
    degraded: ["Prompt caching is automatic: it can neither be marked nor switched off."],
    resolveModel: (name) => name,
    providerOptions: ({ spec, strict }) => ({
      openai: {
        store: false,
        strictJsonSchema: strict,
        ...(spec.promptCaching.enabled && { promptCacheKey: cacheKey(spec.system.static, spec.tools) }),
      },
    }),
    listing: { path: "/models", headers: { authorization: `Bearer ${apiKey}` } },
    async load(fetch) {
      const { OpenAIResponsesLanguageModel } = await importProvider(
        "openai",
        "@ai-sdk/openai",
        () => import("@ai-sdk/openai/internal"),
      );
      const account = { "OpenAI-Organization": organization || undefined, "OpenAI-Project": project || undefined };
      const headers = { authorization: `Bearer ${apiKey}`, ...account, ...options.headers };
      const url = ({ path }: { path: string }) => `${baseUrl}${path}`;
      return (model) => new OpenAIResponsesLanguageModel(model, { provider: "openai.responses", url, headers, fetch });
    },
  };
}

/** Returns the cache key. Requests with the same instructions and tools get the same key, so that they share a cache. */
function cacheKey(instructions: string, tools: readonly { name: string }[]): string {
  return sha256(JSON.stringify([instructions, tools.map(({ name }) => name)])).slice(0, 32);
}
