import { modelNotFoundError } from "../errors/request-error.ts";
import { gatewayModels } from "../models/known-models.ts";
import { baseUrlOf, fieldOf, requireSetting } from "../settings/check-settings.ts";
import type { GatewayOptions } from "../settings/options.ts";
import { type Wiring, wholeCalls } from "./wiring.ts";

const aliases: Readonly<Record<string, string>> = {
  opus: "anthropic/claude-opus-5.5",
  sonnet: "anthropic/claude-sonnet-5.5",
  haiku: "anthropic/claude-haiku-5.5",
};

/** Vercel's AI Gateway. With a key given, the module asks neither the environment nor Vercel for another. */
export function gatewayWiring(options: GatewayOptions): Wiring {
  const { id } = options;
  const apiKey = requireSetting(id, "apiKey", options.apiKey);
  const baseUrl = baseUrlOf(id, options.baseUrl, "https://ai-gateway.vercel.sh/v4/ai", "/v4/ai");
  return {
    baseUrl,
    credential: apiKey,
    mode: "api_key",
    authRemedy: `Check ${fieldOf("apiKey")}; keys are made in Vercel's dashboard under AI Gateway.`,
    knownModels: gatewayModels,
    prices: {},
    probeModel: "anthropic/claude-haiku-4.5",
    leastOutputTokens: 16,
    takesCacheMarks: (model) => model.startsWith("anthropic/"),
    systemInOne: false,
    marksErrors: true,
    schemaForm: () => "plain",
    degraded: ["Marks for prompt caching count for Claude's models; the others cache as their hosts see fit."],
    providerOptions: () => wholeCalls,
    resolveModel(name) {
      const model = aliases[name] ?? name;
      if (model.includes("/")) return model;
      const reason = "This backend wants ids of the form provider/model, such as anthropic/claude-opus-5.5";
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
      const { createGateway } = await import("@ai-sdk/gateway");
      return createGateway({ apiKey, baseURL: baseUrl, headers: { ...options.headers }, fetch });
    },
  };
}
