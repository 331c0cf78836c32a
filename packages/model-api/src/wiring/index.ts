import { ConfigError, suggestion } from "@bridle/core";
import { type ModelApiOptions, modelApiIds } from "../options.ts";
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

function unknown({ id }: { id: string }): ConfigError {
  const hint = suggestion(id, modelApiIds) || ` Known: ${modelApiIds.join(", ")}.`;
  return new ConfigError(`There is no model API backend "${id}".${hint}`, { field: "llm.provider.backend" });
}
