import { type AgentDocuments } from "@bridle/agent";
import { defaultAgentFile } from "../../../cli/src/commands/agent/agent-operand.ts";
import { loadAgentFile } from "../agents/load-agent-file.ts";
import { type Cli } from "../../../cli/src/command-line/cli.ts";
import { type Flags } from "../../../cli/src/command-line/command.ts";
import { type ProjectFlagValues, projectFlags } from "../../../cli/src/command-line/project-flags.ts";
import { sayInterrupted, watchInterruptions } from "../../../cli/src/terminal/interruption.ts";
import { createIndexProgress, type IndexProgress } from "../../../cli/src/commands/documents/index-progress.ts";
import { z } from "zod";

/** Of every command about documents. */
export const documentsFlags = {
  tool: {
    flag: "--tool <name>",
    description: "the documents of this tool only",
    value: z.string().min(1),
    expected: "the name of a tool",
  },
  projectDir: projectFlags.projectDir,
  namespace: projectFlags.namespace,
} satisfies Flags;

interface DocumentsFlagValues extends ProjectFlagValues {
  readonly tool?: string | undefined;
}

export interface DocumentsWork {
  readonly signal: AbortSignal;
  readonly progress: IndexProgress;
}

/** Does the work on the documents of an agent's file. Resolves with the exit code; throws ConfigError. */
export async function withDocuments(
  file: string | undefined,
  flags: DocumentsFlagValues,
  cli: Cli,
  work: (documents: readonly AgentDocuments[], run: DocumentsWork) => Promise<number>,
): Promise<number> {
  const { listAgentDocuments } = await import("@bridle/agent");
  const definition = await loadAgentFile(file ?? defaultAgentFile, cli);
  const { tool, projectDir, namespace } = flags;
  const listed = await listAgentDocuments(definition, {
    ...(tool !== undefined && { tool }),
    ...(projectDir !== undefined && { projectDir }),
    ...(namespace !== undefined && { namespace }),
    cwd: cli.cwd,
    createRuntime: cli.createRuntime,
  });
  const interruption = watchInterruptions(cli);
  const progress = createIndexProgress(cli.stderr, cli.environment);
  try {
    return await work(listed.documents, { signal: interruption.signal, progress });
  } catch (error) {
    progress.stop();
    if (interruption.interrupt === undefined) throw error;
    return sayInterrupted("The index keeps what was read, and was", interruption.interrupt, cli);
  } finally {
    progress.stop();
    interruption.dispose();
    await listed.close();
  }
}
