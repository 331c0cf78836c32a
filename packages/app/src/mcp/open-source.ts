import { createRuntime, type Project } from "@bridle/project";
import type { AnyTool, Logger, Policy } from "@bridle/protocol";
import { defaultAgentFile, loadAgentFile, requireAgentFile } from "../agents/load-agent-file.ts";
import type { ProjectContext } from "../context/project-context.ts";
import { loadTools, moduleOptions } from "../modules/load-tools.ts";

/** The tools that a server offers, opened. */
export interface OpenedSource {
  /** The project, with the variables and secrets of the agent if there is one. */
  readonly project: Project;
  readonly tools: readonly AnyTool[];
  readonly instructions: readonly string[];
  /** The rules of the agent's file. */
  readonly policy: Policy | undefined;
  readonly warnings: readonly string[];
  close(): Promise<void>;
}

interface SourceEffects {
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/** Opens the tools of a tools file, or of an agent. Throws ConfigError; nothing is left open then. */
export async function openSource(
  { agent, tools }: { readonly agent?: string | undefined; readonly tools?: string | undefined },
  context: ProjectContext,
  { logger, signal }: SourceEffects,
): Promise<OpenedSource> {
  if (tools !== undefined) return openToolsFile(tools, context);
  requireAgentFile(agent, context, { command: "bridle mcp", subCommands: ["install"] });
  const { openAgentTools } = await import("@bridle/agent");
  const definition = await loadAgentFile(agent ?? defaultAgentFile, context);
  return openAgentTools(definition, {
    ...{ project: context.project, cwd: context.cwd, logger, signal, loading: moduleOptions(context) },
    createRuntime: (options) => createRuntime({ ...options, eventLog: "project" }),
  });
}

async function openToolsFile(file: string, context: ProjectContext): Promise<OpenedSource> {
  const { project } = context;
  await project.requireTrust();
  const tools = await loadTools(file, context);
  return { project, tools, instructions: [], policy: undefined, warnings: [], close: async () => {} };
}
