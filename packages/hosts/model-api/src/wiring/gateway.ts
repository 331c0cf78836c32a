import { modelNotFoundError } from "../errors/request-error.ts";
import { importProvider } from "../import-provider.ts";
import { readBaseUrl, requireSetting, settingPath } from "../settings/check-settings.ts";
import type { GatewayOptions } from "../settings/options.ts";
import { gatewayModels } from "./known-models.ts";
import { type Wiring, wholeCalls } from "./wiring.ts";

const aliases: Readonly<Record<string, string>> = {
  opus: "anthropic/claude-opus-5.5",
  sonnet: "anthropic/claude-sonnet-5.5",
  haiku: "anthropic/claude-haiku-5.5",
};

/**
 * Creates the wiring for Vercel's AI Gateway. A key is always passed, so the module does not look for one in the environment or at Vercel.
 */
export function gatewayWiring(options: GatewayOptions): Wiring {
  const { id } = options;
  const apiKey = requireSetting(id, "apiKey", options.apiKey);
  const baseUrl = readBaseUrl({
    backend: id,
    given: options.baseUrl,
    standard: "https://ai-gateway.vercel.sh/v4/ai",
    path: "/v4/ai",
  });
  return {
    baseUrl,
    credential: apiKey,
    mode: "api_key",
    authRemedy: `Check ${settingPath("apiKey")}; create keys in Vercel's dashboard under AI Gateway.`,
    knownModels: gatewayModels,
    prices: {},
    probeModel: "anthropic/claude-haiku-4.5",
    minOutputTokens: 16,
    takesCacheMarks: (model) => model.startsWith("anthropic/"),
    systemInOne: false,
    marksErrors: true,
    resultImages: "after-results", // the hosts behind the gateway differ
    schemaForm: () => "plain",
    degraded: [
      "Prompt caching is marked for Claude's models. The hosts of other models decide about caching themselves.",
    ],
    providerOptions: () => wholeCalls,
    resolveModel(name) {
      const model = aliases[name] ?? name;
      if (model.includes("/")) return model;
      const reason = "This backend needs ids of the form provider/model, such as anthropic/claude-opus-5.5";
      throw modelNotFoundError(reason, {
        backend: id,
        model: name,
        knownModels: gatewayModels.map((known) => known.id),
      });
    },
    listing: {
      path: "/config",
      headers: { authorization: `Bearer ${apiKey}`, "ai-gateway-protocol-version": "0.0.1" },
    },
    async load(fetch) {
      const { createGateway } = await importProvider("gateway", "@ai-sdk/gateway", () => import("@ai-sdk/gateway"));
      return createGateway({ apiKey, baseURL: baseUrl, headers: { ...options.headers }, fetch });
    },
  };
}
