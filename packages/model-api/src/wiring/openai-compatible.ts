import type { OpenAICompatibleOptions } from "../options.ts";
import { baseUrlOf, fieldOf, requireSetting } from "../settings.ts";
import type { Wiring } from "./wiring.ts";

/** Chat Completions at any address. Without a key none is sent. */
export function openaiCompatibleWiring(options: OpenAICompatibleOptions): Wiring {
  const { id } = options;
  const baseUrl = baseUrlOf(id, requireSetting(id, "baseUrl", options.baseUrl), "");
  const apiKey = options.apiKey?.trim() || undefined;
  return {
    baseUrl,
    credential: apiKey ?? "",
    mode: apiKey === undefined ? "none" : "api_key",
    authRemedy: apiKey === undefined ? `Set ${fieldOf("apiKey")}.` : `Check ${fieldOf("apiKey")}.`,
    knownModels: [],
    prices: {},
    leastOutputTokens: 1,
    takesCacheMarks: () => false,
    systemInOne: true,
    marksErrors: false,
    schemaForm: () => "openai",
    degraded: ["Prompt caching is the server's own.", "How well a schema for an object is kept depends on the server."],
    resolveModel: (name) => name,
    providerOptions: ({ strict }) => ({ openaiCompatible: { strictJsonSchema: strict } }),
    listing: { path: "/models", headers: apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` } },
    async load(fetch) {
      const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
      return createOpenAICompatible({
        name: "openaiCompatible",
        baseURL: baseUrl,
        headers: { ...options.headers },
        fetch,
        includeUsage: true,
        supportsStructuredOutputs: true,
        ...(apiKey === undefined ? {} : { apiKey }),
      });
    },
  };
}
