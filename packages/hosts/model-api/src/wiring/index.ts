import { checkPrices } from "@bridle/host-shared";
import { type ConfigError, suggestion } from "@bridle/protocol";
import { checkCount, checkHeaders, checkHeaderValue, settingError } from "../settings/check-settings.ts";
import { type ModelApiOptions, modelApiIds } from "../settings/options.ts";
import { anthropicWiring } from "./anthropic.ts";
import { bedrockWiring } from "./bedrock.ts";
import { gatewayWiring } from "./gateway.ts";
import { openaiWiring } from "./openai.ts";
import { openaiCompatibleWiring } from "./openai-compatible.ts";
import { vertexWiring } from "./vertex.ts";
import type { Wiring } from "./wiring.ts";

export type { Wiring } from "./wiring.ts";

/** Creates the wiring of a backend. Throws a ConfigError for a missing or wrong setting, and for an unknown backend. */
export function createWiring(options: ModelApiOptions): Wiring {
  checkCount("maxAttempts", options.maxAttempts);
  checkCount("idleTimeoutMs", options.idleTimeoutMs);
  checkHeaders(options.headers ?? {});
  for (const option of sent) if (option in options) checkHeaderValue(option, Reflect.get(options, option));
  checkPrices(options.prices ?? {});
  return choose(options);
}

/** Options that are sent as headers. Google's project is part of the address, but is checked in the same way. */
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
  return settingError("backend", `There is no model API backend "${id}".${hint}`);
}
