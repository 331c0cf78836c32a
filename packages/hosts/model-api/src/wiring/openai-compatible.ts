import type { OpenAICompatibleProviderSettings } from "@ai-sdk/openai-compatible";
import type { LanguageModelV4Usage } from "@ai-sdk/provider";
import { z } from "zod";
import { baseUrlOf, fieldOf, requireSetting } from "../settings/check-settings.ts";
import type { OpenAICompatibleOptions } from "../settings/options.ts";
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
        convertUsage: toChatUsage,
        ...(apiKey === undefined ? {} : { apiKey }),
      });
    },
  };
}

type ChatUsage = Parameters<NonNullable<OpenAICompatibleProviderSettings["convertUsage"]>>[0];

/** As the module counts (3.0.92), and with what was written to a cache, which it takes for tokens of the prompt. */
function toChatUsage(usage: ChatUsage): LanguageModelV4Usage {
  const total = usage?.prompt_tokens ?? 0;
  const cacheRead = usage?.prompt_tokens_details?.cached_tokens ?? 0;
  const cacheWrite = written.safeParse(usage?.prompt_tokens_details).data?.cache_write_tokens ?? 0;
  return {
    inputTokens: { total, noCache: total - cacheRead - cacheWrite, cacheRead, cacheWrite },
    outputTokens: { total: usage?.completion_tokens ?? 0, text: undefined, reasoning: undefined },
  };
}

const written = z.object({ cache_write_tokens: z.number().nullish() });
