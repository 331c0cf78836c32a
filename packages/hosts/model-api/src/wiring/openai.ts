import { sha256 } from "@bridle/core";
import { openaiModels } from "../models/known-models.ts";
import { openaiPrices } from "../models/prices.ts";
import { baseUrlOf, fieldOf, requireSetting } from "../settings/check-settings.ts";
import type { OpenAIOptions } from "../settings/options.ts";
import type { Wiring } from "./wiring.ts";

/**
 * OpenAI's Responses API. Nothing is stored there: the whole conversation goes with every request, reasoning in the
 * encrypted form in which the host gave it.
 *
 * The model's class comes from the entry that the module for Azure takes it from too: the main entry (4.0.118) makes a
 * provider from the environment as it is loaded, and an empty OPENAI_BASE_URL breaks that.
 */
export function openaiWiring(options: OpenAIOptions): Wiring {
  const apiKey = requireSetting(options.id, "apiKey", options.apiKey);
  const baseUrl = baseUrlOf(options.id, options.baseUrl, "https://api.openai.com/v1", "/v1");
  const { organization, project } = options;
  return {
    baseUrl,
    credential: [apiKey, organization, project].join(" "),
    mode: "api_key",
    authRemedy: `Check ${fieldOf("apiKey")}; keys are made at platform.openai.com.`,
    knownModels: openaiModels,
    prices: openaiPrices,
    probeModel: "gpt-6-luna",
    leastOutputTokens: 16, // the API refuses less
    takesCacheMarks: () => false,
    systemInOne: true,
    marksErrors: false,
    schemaForm: () => "openai",
    degraded: ["Prompt caching is the host's own: it can neither be marked nor switched off."],
    resolveModel: (name) => name,
    providerOptions: ({ spec, strict }) => ({
      openai: {
        store: false,
        strictJsonSchema: strict,
        ...(spec.promptCaching.enabled ? { promptCacheKey: cacheKey(spec.system.static, spec.tools) } : {}),
      },
    }),
    listing: { path: "/models", headers: { authorization: `Bearer ${apiKey}` } },
    async load(fetch) {
      const { OpenAIResponsesLanguageModel } = await import("@ai-sdk/openai/internal");
      const account = { "OpenAI-Organization": organization || undefined, "OpenAI-Project": project || undefined };
      const headers = { authorization: `Bearer ${apiKey}`, ...account, ...options.headers };
      const url = ({ path }: { path: string }) => `${baseUrl}${path}`;
      return (model) => new OpenAIResponsesLanguageModel(model, { provider: "openai.responses", url, headers, fetch });
    },
  };
}

/** Requests that begin alike are sent to the same cache. */
function cacheKey(instructions: string, tools: readonly { name: string }[]): string {
  return sha256(JSON.stringify([instructions, tools.map(({ name }) => name)])).slice(0, 32);
}
