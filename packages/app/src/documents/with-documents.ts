import type { AgentDocuments } from "@bridle/agent";
import type { SearchMode } from "@bridle/documents";
import { omitUndefined } from "@bridle/protocol";
import { defaultAgentFile, loadAgentFile } from "../agents/load-agent-file.ts";
import type { AppContext } from "../context/app-context.ts";
import type { ProjectLocation } from "../context/project-location.ts";

/** The documents of an agent: those of one tool, or of all. */
export interface DocumentsSelection extends ProjectLocation {
  /** The agent's file. Default: agent.yaml. */
  readonly file?: string | undefined;
  /** The name of a tool. Default: all tools with documents. */
  readonly tool?: string | undefined;
}

export interface DocumentsEffects {
  readonly signal: AbortSignal;
  onProgress(progress: { readonly done: number; readonly total: number; readonly file: string }): void;
}

export type { SearchMode };

/** Opens the list of an agent's documents for some work. Throws ConfigError. */
export async function withDocuments<T>(
  { file = defaultAgentFile, tool, projectDir, namespace }: DocumentsSelection,
  context: AppContext,
  work: (documents: readonly AgentDocuments[]) => Promise<T>,
): Promise<T> {
  const { listAgentDocuments } = await import("@bridle/agent");
  const definition = await loadAgentFile(file, context);
  const listed = await listAgentDocuments(definition, {
    ...omitUndefined({ tool, projectDir, namespace }),
    cwd: context.cwd,
    createRuntime: context.createRuntime,
  });
  try {
    return await work(listed.documents);
  } finally {
    await listed.close();
  }
}
