import type { EmbedderConfig, EmbedderDefinition } from "@bridle/protocol";
import { z } from "zod";
import { embedders } from "./embedders.ts";

/** The settings of the chosen embedding host: the keys of `embeddings`. */
export type EmbeddingsConfig = EmbedderConfig;

const registered: readonly EmbedderDefinition[] = embedders;

/** Lists all embedding hosts, in display order. */
export function allEmbedders(): readonly EmbedderDefinition[] {
  return registered;
}

/** Returns the definition of an embedding host. A schema has checked the name. */
export function embedderDefinition(backend: string): EmbedderDefinition {
  const found = registered.find(({ id }) => id === backend);
  if (found === undefined) throw new Error(`There is no host of embeddings "${backend}".`);
  return found;
}

/** Returns the settings of a project without embeddings. */
export function noEmbeddings(): EmbeddingsConfig {
  const none = registered.find(({ isNone }) => isNone);
  if (none === undefined) throw new Error("No registered host is for a project without embeddings.");
  return { backend: none.id };
}

const backendText = "The provider that turns texts into vectors. none: every operation that needs vectors fails.";

/** Creates the schema of `embeddings`: each host allows exactly its own keys. */
export function createEmbeddingsSchema(
  definitions: readonly EmbedderDefinition[] = registered,
): z.ZodType<EmbeddingsConfig, object> {
  const [first, ...others] = definitions.map(({ id, settings }) => {
    const mapping = z.strictObject({ backend: z.literal(id).describe(backendText), ...settings.shape });
    return settings.check ? mapping.check(settings.check) : mapping;
  });
  if (first === undefined) throw new Error("No host of embeddings is registered.");
  return z.discriminatedUnion("backend", [first, ...others]) as unknown as z.ZodType<EmbeddingsConfig, object>;
}
