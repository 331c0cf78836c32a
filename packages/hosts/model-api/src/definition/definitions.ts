/** The model APIs and embedding hosts, in display order. */
import { anthropicHost } from "./anthropic.ts";
import { bedrockHost } from "./bedrock.ts";
import { gatewayHost } from "./gateway.ts";
import { openaiHost } from "./openai.ts";
import { openaiCompatibleHost } from "./openai-compatible.ts";
import { vertexHost } from "./vertex.ts";

export const modelApiHosts = [
  anthropicHost,
  openaiHost,
  openaiCompatibleHost,
  gatewayHost,
  vertexHost,
  bedrockHost,
] as const;

export { hostedEmbedders } from "./embedders.ts";
