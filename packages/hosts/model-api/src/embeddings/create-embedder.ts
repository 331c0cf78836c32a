import type { Embedder } from "@bridle/protocol";
import { type Pauses, realPauses } from "../request/retry.ts";
import { createHostedEmbedder } from "./hosted-embedder.ts";
import { createNoEmbedder } from "./no-embedder.ts";
import type { EmbedderOptions } from "./options.ts";

/**
 * Makes an embedder. Nothing is loaded and nothing is sent before the first text. `pauses` are those between two
 * attempts of a request, for tests.
 *
 * @throws ConfigError for a setting that cannot work.
 * @example
 * const embedder = createEmbedder({ backend: "openai", model: "text-embedding-3-small", apiKey });
 * const { vectors } = await embedder.embed(["a text", "another"]);
 * await embedder.close();
 */
export function createEmbedder(options: EmbedderOptions, pauses: Pauses = realPauses): Embedder {
  return options.backend === "none" ? createNoEmbedder() : createHostedEmbedder(options, pauses);
}
