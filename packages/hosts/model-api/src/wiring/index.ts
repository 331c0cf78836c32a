import { type ConfigError, suggestion } from "@bridle/protocol";
import { checkPrices } from "../models/prices.ts";
import { checkCount, checkHeaders, checkHeaderValue, wrong } from "../settings/check-settings.ts";
import { type ModelApiOptions, modelApiIds } from "../settings/options.ts";
import { anthropicWiring } from "./anthropic.ts";
import { bedrockWiring } from "./bedrock.ts";
import { gatewayWiring } from "./gateway.ts";
import { openaiWiring } from "./openai.ts";
import { openaiCompatibleWiring } from "./openai-compatible.ts";
import { vertexWiring } from "./vertex.ts";
import type { Wiring } from "./wiring.ts";

export type { Wiring } from "./wiring.ts";

/** Throws ConfigError for a setting that is missing or wrong, and for a backend that is not known. */
export function wiringOf(options: ModelApiOptions): Wiring {
  checkCount("maxAttempts", options.maxAttempts);
  checkCount("idleTimeoutMs", options.idleTimeoutMs);
  checkHeaders(options.headers ?? {});
  for (const option of sent) if (option in options) checkHeaderValue(option, Reflect.get(options, option));
  checkPrices(options.prices ?? {});
  return choose(options);
}

/** Options that go into headers as they are. Google's project goes into the address, and is one of them all the same. */
const sent = ["apiKey", "accessToken", "sessionToken", "accessKeyId", "organization", "project"];

function choose(options: ModelApiOptions): Wiring {
  switch (options.id) {
    case "anthropic":
      return anthropicWiring(options);
    case "vertex":
      return vertexWiring(options);
    case "bedrock":
      return bedrockWiring(options);
    case "gateway":
      return gatewayWiring(options);
    case "openai":
      return openaiWiring(options);
    case "openai-compatible":
      return openaiCompatibleWiring(options);
    default:
      throw unknown(options);
  }
}

function unknown({ id }: { id?: string }): ConfigError {
  const hint = suggestion(String(id), modelApiIds) || ` Known: ${modelApiIds.join(", ")}.`;
  return wrong("backend", `There is no model API backend "${id}".${hint}`);
}
