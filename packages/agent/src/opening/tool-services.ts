import type { Project } from "@bridle/project";
import type { AgentRuntime } from "@bridle/protocol";
import type { AgentDefinition } from "../definition/agent-definition.ts";
import type { DocumentsServices } from "../documents/open-agent-documents.ts";
import { embeddingsOf } from "./agent-embeddings.ts";

/** What an agent's documents may need: an embedder, and a model that describes parts of them. */
export function documentsServices(
  definition: AgentDefinition,
  project: Project,
  runtime?: AgentRuntime,
): DocumentsServices {
  const embeddings = embeddingsOf(definition);
  const createEmbedder: DocumentsServices["createEmbedder"] = (choice) => project.findEmbedder({ embeddings, choice });
  return runtime ? { createEmbedder, runtime: () => runtime } : { createEmbedder };
}
