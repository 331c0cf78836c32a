import { type AgentRuntime, omitUndefined, type ToolServices } from "@bridle/core";
import { findEmbedder, type SettingsOptions } from "@bridle/project";
import type { AgentDefinition } from "../definition/agent-definition.ts";
import { agentEmbeddings } from "./agent-embeddings.ts";

/** What the tools of an agent can use: its embedder, and its runtime if there is one. */
export function toolServices(
  definition: AgentDefinition,
  { projectDir, namespace }: Pick<SettingsOptions, "projectDir" | "namespace">,
  runtime?: AgentRuntime,
): ToolServices {
  const embeddings = agentEmbeddings(definition);
  const { environment } = definition;
  return {
    createEmbedder: (choice) =>
      findEmbedder({
        ...(projectDir !== undefined && { projectDir }),
        ...(namespace === undefined ? { environment } : { namespace, processEnvironment: environment }),
        ...(embeddings && { embeddings }),
        choice: omitUndefined(choice),
      }),
    runtime: runtime && (() => runtime),
  };
}
