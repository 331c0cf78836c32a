import type { Embedder } from "@bridle/protocol";
import { type Pauses, realPauses } from "../request/retry.ts";
import { HostedEmbedder } from "./hosted-embedder.ts";
import { createNoEmbedder } from "./no-embedder.ts";
import type { EmbedderOptions } from "./options.ts";

/**
 * Creates an embedder, which loads and sends nothing before it gets the first text.
 *
 * @param pauses The pauses between attempts, for tests.
 * @throws ConfigError for a setting that cannot work.
 * @example const embedder = createEmbedder({ backend: "openai", model: "text-embedding-3-small", apiKey }); const { vectors } = await
 * embedder.embed(["a text", "another"]); await embedder.close();
 */
export function createApiEmbedder(options: EmbedderOptions, pauses: Pauses = realPauses): Embedder {
  return options.backend === "none" ? createNoEmbedder() : new HostedEmbedder(options, pauses);
}
