import type { OpenAICompatibleProviderSettings } from "@ai-sdk/openai-compatible";
import type { LanguageModelV4Usage } from "@ai-sdk/provider";
import { omitUndefined } from "@bridle/protocol";
import { z } from "zod";
import { importProvider } from "../import-provider.ts";
import { readBaseUrl, requireSetting, settingPath } from "../settings/check-settings.ts";
import type { OpenAICompatibleOptions } from "../settings/options.ts";
import type { Wiring } from "./wiring.ts";

/** Creates the wiring for Chat Completions at any address. Without a key, no credential is sent. */
export function openaiCompatibleWiring(options: OpenAICompatibleOptions): Wiring {
  const { id } = options;
  const baseUrl = readBaseUrl({ backend: id, given: requireSetting(id, "baseUrl", options.baseUrl), standard: "" });
  const apiKey = options.apiKey?.trim() || undefined;
  return {
    baseUrl,
    credential: apiKey ?? "",
    mode: apiKey === undefined ? "none" : "api_key",
    authRemedy: apiKey === undefined ? `Set ${settingPath("apiKey")}.` : `Check ${settingPath("apiKey")}.`,
    knownModels: [],
    prices: {},
    minOutputTokens: 1,
    takesCacheMarks: () => false,
    systemInOne: true,
    marksErrors: false,
    resultImages: options.resultImages ? "after-results" : "none",
    schemaForm: () => "openai",
    degraded: [
      "The server decides about prompt caching.",
      "How strictly an object follows its schema depends on the server.",
      ...(options.resultImages ? [] : [withoutImages]),
    ],
    resolveModel: (name) => name,
    providerOptions: ({ strict }) => ({ openaiCompatible: { strictJsonSchema: strict } }),
    listing: { path: "/models", headers: apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` } },
    async load(fetch) {
      const { createOpenAICompatible } = await importProvider(
        "openai-compatible",
        "@ai-sdk/openai-compatible",
        () => import("@ai-sdk/openai-compatible"),
      );
      return createOpenAICompatible({
        name: "openaiCompatible",
        baseURL: baseUrl,
        headers: { ...options.headers },
        fetch,
        includeUsage: true,
        supportsStructuredOutputs: true,
        convertUsage: toChatUsage,
        ...omitUndefined({ apiKey }),
      });
    },
  };
}

const withoutImages =
  "Images in tool results do not reach the model, because not every model can see. If yours can, set llm.provider.resultImages: true.";

type ChatUsage = Parameters<NonNullable<OpenAICompatibleProviderSettings["convertUsage"]>>[0];

/** Counts tokens like the module (3.0.92), but separates cache writes, which the module counts as prompt tokens. */
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
