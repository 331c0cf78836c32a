import type { Embedder } from "@bridle/protocol";
import { createConfiguredEmbedder } from "../embeddings/open-embedder.ts";
import { embedderDefinition } from "../registries/embedder-registry.ts";
import type { Settings } from "../settings/settings.ts";
import { type Check, failed, passed, skipped } from "./check.ts";
import { areaOf, interrupted, reasonNotToAsk } from "./live-check.ts";

/** Checks the embedder. With `--live`, it embeds one text. */
export async function checkEmbeddings(settings: Settings, live: boolean, signal?: AbortSignal): Promise<Check> {
  const identity = { id: "embeddings", title: "Embeddings", area: "backend" } as const;
  const { embeddings } = settings;
  if (embedderDefinition(embeddings.backend).isNone) return skipped(identity, "The project has no embeddings.");
  if (!live) return skipped(identity, "not checked; --live embeds one short text");
  const reason = reasonNotToAsk(settings, "embeddings");
  if (reason !== undefined) return skipped(identity, reason);
  let embedder: Embedder | undefined;
  try {
    embedder = await createConfiguredEmbedder(settings);
    const { vectors } = await embedder.embed(["Hello."], signal ? { signal } : {});
    const model = settings.written["embeddings.model"] ?? embedder.model;
    return passed(identity, `${model} on ${embedder.id} returns vectors of ${vectors[0]?.length} numbers`);
  } catch (error) {
    if (signal?.aborted) return skipped(identity, interrupted);
    const detail = error instanceof Error ? error.message : String(error);
    const area = areaOf(error);
    const remedy =
      area === "backend" ? "Check the address and the network, and try again." : "Correct embeddings in bridle.yaml.";
    return failed({ ...identity, area }, detail, remedy);
  } finally {
    await embedder?.close();
  }
}
