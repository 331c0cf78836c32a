import { createRuntime } from "@bridle/project";
import type { Logger } from "@bridle/protocol";
import { agentFileExists, defaultAgentFile, loadAgentFile, requireAgentFile } from "../agents/load-agent-file.ts";
import type { ProjectContext } from "../context/project-context.ts";
import { loadTools, moduleOptions } from "../modules/load-tools.ts";
import { chooseConnections } from "../warehouses/choose-connections.ts";
import { openDataContext } from "../warehouses/open-data-context.ts";
import { parseCallerScope } from "./caller-scope.ts";
import { type AgentsSelection, openAgentsSource } from "./open-agents-source.ts";
import type { OpenedSource, ScopedCaller } from "./opened-source.ts";

/** The tools that a server offers: those of an agent, those of a tools file, or those for the project's databases. */
export interface SourceSelection {
  /** The agent file with the tools to serve. Default: agent.yaml; without that file, the project's databases are served. */
  readonly agent?: string | undefined;
  /** A tools file, instead of an agent file. */
  readonly tools?: string | undefined;
  /** Whether to serve the databases in `context.connections`, even if the project has an agent.yaml. */
  readonly context?: boolean | undefined;
  /** Serves agents as tools `ask_<agent>`, instead of the tools of one agent. */
  readonly agents?: AgentsSelection | undefined;
  /** Whether anyone except the user of this machine can call the tools, for example over HTTP. Default: false. */
  readonly isShared?: boolean | undefined;
}

interface SourceEffects {
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/** Opens the tools of a server. If it throws ConfigError, it leaves nothing open. */
export async function openSource(
  selection: SourceSelection,
  context: ProjectContext,
  { logger, signal }: SourceEffects,
): Promise<OpenedSource> {
  const { agent, tools, agents, isShared } = selection;
  if (agents !== undefined) return openAgentsSource(agents, context, { logger });
  if (tools !== undefined) return openToolsFile(tools, context);
  if (servesContext(selection, context)) return openContextSource(context, { logger, signal });
  requireAgentFile(agent, context, { command: "bridle mcp", subCommands: ["install"] });
  const { openAgentTools } = await import("@bridle/agent");
  const definition = await loadAgentFile(agent ?? defaultAgentFile, context);
  const toolset = await openAgentTools(definition, {
    project: context.project,
    cwd: context.cwd,
    logger,
    signal,
    isShared,
    loading: moduleOptions(context),
    createRuntime: (options) => createRuntime({ ...options, eventLog: "project" }),
  });
  const { project, tools: opened, instructions, policy, warnings } = toolset;
  return {
    project,
    tools: opened,
    instructions,
    policy,
    warnings,
    agent: definition.config.name,
    close: () => toolset.close(),
  };
}

/** Decides what to serve. If no file is named, agent.yaml takes precedence over the databases, unless the databases are requested. */
function servesContext({ agent, context: isAsked }: SourceSelection, context: ProjectContext): boolean {
  if (isAsked) return true;
  const isOpen = agent === undefined && !agentFileExists(defaultAgentFile, context);
  return isOpen && context.project.connections.length > 0;
}

async function openToolsFile(file: string, context: ProjectContext): Promise<OpenedSource> {
  const { project } = context;
  await project.requireTrust();
  const tools = await loadTools(file, context);
  return { project, tools, instructions: [], policy: undefined, warnings: [], close: async () => {} };
}

/** Opens the tools for the project's databases, memory and ingest. Nothing is connected before a tool needs it. */
async function openContextSource(context: ProjectContext, { logger, signal }: SourceEffects): Promise<OpenedSource> {
  const { project } = context;
  const connections = chooseConnections(undefined, context);
  const opened = await openDataContext(context, { logger });
  const { KnowledgeTools } = await import("./knowledge-tools.ts");
  const knowledge = new KnowledgeTools(project, opened, signal);
  const toolsFor = (caller: ScopedCaller) => {
    const { tools, instructions } = opened.tools(parseCallerScope(caller, connections));
    return { tools: [...tools, ...knowledge.of(caller)], instructions: [instructions] };
  };
  const close = async () => {
    await knowledge.close();
    await opened.close();
  };
  return { project, ...toolsFor({ name: "stdio" }), toolsFor, policy: undefined, warnings: [], close };
}
