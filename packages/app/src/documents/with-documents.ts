import type { AgentDocuments } from "@bridle/agent";
import type { SearchMode } from "@bridle/documents";
import { omitUndefined } from "@bridle/protocol";
import { defaultAgentFile, loadAgentFile } from "../agents/load-agent-file.ts";
import type { ProjectContext } from "../context/project-context.ts";

/** Selects an agent's documents: those of one tool, or of all tools. */
export interface DocumentsSelection {
  /** The agent file. Default: agent.yaml. */
  readonly file?: string | undefined;
  /** The name of a tool. Default: all tools with documents. */
  readonly tool?: string | undefined;
  /** Whether to return an empty list for an agent without documents. Default: it is an error. */
  readonly mayBeNone?: boolean | undefined;
}

export interface DocumentsEffects {
  readonly signal: AbortSignal;
  onProgress(progress: { readonly done: number; readonly total: number; readonly file: string }): void;
}

export type { SearchMode };

/** Opens the list of an agent's documents while some work needs it. Throws ConfigError. */
export async function withDocuments<T>(
  { file = defaultAgentFile, tool, mayBeNone }: DocumentsSelection,
  context: ProjectContext,
  work: (documents: readonly AgentDocuments[]) => Promise<T>,
): Promise<T> {
  const { listAgentDocuments } = await import("@bridle/agent");
  const definition = await loadAgentFile(file, context);
  const listed = await listAgentDocuments(definition, {
    ...omitUndefined({ tool, mayBeNone }),
    project: context.project,
    createRuntime: context.createRuntime,
  });
  try {
    return await work(listed.documents);
  } finally {
    await listed.close();
  }
}
