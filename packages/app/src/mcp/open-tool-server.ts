import { join } from "node:path";
import { composePolicies, normaliseToolName } from "@bridle/core";
import type { Caller, CallerTools, McpToolServer } from "@bridle/mcp-server";
import { type AgentRuntime, allowAllTools, ConfigError, type Logger, type Policy } from "@bridle/protocol";
import type { ProjectContext } from "../context/project-context.ts";
import { openSource, type SourceSelection } from "./open-source.ts";
import type { OpenedSource, ScopedCaller, ScopedTools } from "./opened-source.ts";

/** The tools that a server offers, and the permissions of its clients. */
export interface ToolServerSelection extends SourceSelection {
  /** Whether clients may call tools that are not annotated `readOnly`. Default: false. */
  readonly allowWrites?: boolean | undefined;
  /** Whether results also contain structured data. Default: false. */
  readonly structured?: boolean | undefined;
}

/** A server that is not listening yet. */
export interface OpenedToolServer {
  readonly server: McpToolServer;
  /** Throws ConfigError if the tools cannot be offered to the caller. */
  checkCaller(caller: ScopedCaller): void;
  /** All tools that the server can show. */
  readonly tools: readonly string[];
  /** Tools that are not offered because they may change something. */
  readonly leftOut: readonly string[];
  readonly warnings: readonly string[];
  /** The default path of the token file. */
  readonly tokenFile: string;
  close(): Promise<void>;
}

/** Opens the tools and the project's event log. Throws ConfigError; nothing is left open then. */
export async function openToolServer(
  selection: ToolServerSelection,
  context: ProjectContext,
  { logger, signal }: { readonly logger: Logger; readonly signal: AbortSignal },
): Promise<OpenedToolServer> {
  const { ClientBackend, McpToolServer } = await import("@bridle/mcp-server");
  const source = await openSource(selection, context, { logger, signal });
  const backend = new ClientBackend();
  let runtime: AgentRuntime | undefined;
  try {
    runtime = await source.project.createRuntimeOn(backend, { eventLog: "project", logger, agent: source.agent });
    const offer = await createOffer(source, selection, await source.project.policy({ agent: source.agent }));
    const server = new McpToolServer({
      name: "bridle",
      version: context.version,
      backend,
      runtime,
      logger,
      structured: selection.structured,
      openTools: async (caller) => offer.toolsOf(caller),
    });
    const checkCaller = (caller: ScopedCaller) => void scopedTools(caller, source);
    return { ...offer.shown, server, checkCaller, ...describeSource(source), close: () => closeAll(runtime, source) };
  } catch (error) {
    await closeAll(runtime, source);
    throw error;
  }
}

function describeSource({ project, warnings }: OpenedSource) {
  return { warnings, tokenFile: join(project.folder, "mcp-tokens.json") };
}

/** Returns the tools that callers can use: all tools under the rules, or only read-only tools. */
async function createOffer(
  source: OpenedSource,
  { allowWrites = false }: Pick<ToolServerSelection, "allowWrites">,
  ofProject: Policy | undefined,
) {
  const { readOnlyPolicy } = await import("@bridle/mcp-server");
  const { tools, policy } = source;
  const ruled = [...(policy?.disabled ?? []), ...(ofProject?.disabled ?? [])];
  const readOnly = readOnlyPolicy(tools);
  const reading = composePolicies(policy ?? ofProject ?? allowAllTools, readOnly);
  const hidden = allowWrites ? ruled : [...ruled, ...readOnly.disabled];
  const names = tools.map(({ name }) => normaliseToolName(name));
  return {
    shown: {
      tools: names.filter((name) => !hidden.includes(name)),
      leftOut: allowWrites ? [] : readOnly.disabled.filter((name) => !ruled.includes(name)),
    },
    toolsOf(caller: Caller): CallerTools {
      const { tools: scoped, instructions } = scopedTools(caller, source);
      const mayWrite = allowWrites && caller.writes;
      return {
        tools: scoped,
        instructions: instructions.join("\n\n") || undefined,
        policy: mayWrite ? policy : reading,
        hidden: mayWrite ? ruled : [...ruled, ...readOnly.disabled],
      };
    },
  };
}

/** Returns the tools of a caller. Throws ConfigError if the caller's scope is invalid, or not supported by the tools. */
function scopedTools(caller: ScopedCaller, source: OpenedSource): ScopedTools {
  if (caller.scope === undefined) return source;
  if (source.toolsFor !== undefined) return source.toolsFor(caller);
  const message = `The token ${caller.name} has a scope, but these tools know none. Remove the scope or the token, or serve the databases with --context.`;
  throw new ConfigError(message);
}

async function closeAll(runtime: AgentRuntime | undefined, source: OpenedSource): Promise<void> {
  try {
    await runtime?.close();
  } finally {
    await source.close();
  }
}
