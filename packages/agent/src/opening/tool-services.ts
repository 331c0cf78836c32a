import { findEmbedder, type SettingsOptions } from "@bridle/project";
import type { AgentRuntime } from "@bridle/protocol";
import type { AgentDefinition } from "../definition/agent-definition.ts";
import type { DocumentsServices } from "../documents/open-agent-documents.ts";
import { embeddingsOf } from "./agent-embeddings.ts";

/** What the documents of an agent may need: who turns texts into vectors, and a model that describes parts of them. */
export function documentsServices(
  definition: AgentDefinition,
  { projectDir, namespace }: Pick<SettingsOptions, "projectDir" | "namespace">,
  runtime?: AgentRuntime,
): DocumentsServices {
  const embeddings = embeddingsOf(definition);
  const { environment } = definition;
  return {
    createEmbedder: (choice) =>
      findEmbedder({
        ...(projectDir !== undefined && { projectDir }),
        ...(namespace === undefined ? { environment } : { namespace, processEnvironment: environment }),
        ...(embeddings && { embeddings }),
        choice,
      }),
    ...(runtime && { runtime: () => runtime }),
  };
}
