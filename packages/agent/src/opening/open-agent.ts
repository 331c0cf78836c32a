import { type CreateRuntimeOptions, createRuntime, type LoadModuleOptions } from "@bridle/project";
import {
  type AgentRun,
  type AgentRuntime,
  type AgentSession,
  type AnyTool,
  type Logger,
  type Prompt,
  type RunEvent,
  type SendOptions,
  type SessionRequest,
  silentLogger,
} from "@bridle/protocol";
import { openAgentProject } from "../agent-settings.ts";
import type { AgentDefinition } from "../definition/agent-definition.ts";
import { policyOf } from "./agent-policy.ts";
import { openParts } from "./open-parts.ts";
import type { OpenedEntry } from "./open-tools.ts";
import { limitsOf, type RunLimits, requestOf } from "./session-request.ts";

/** As of a runtime; the agent's file stands over the project's, and these options over both. */
export interface OpenAgentOptions
  extends Omit<CreateRuntimeOptions, "provider" | "environment" | "processEnvironment" | "policy"> {
  /** Gives up opening tools. */
  signal?: AbortSignal;
  /** What watches over the modules of function tools while they are loaded. */
  loading?: LoadModuleOptions;
  /** Opens something else than a runtime of the project, with the same options; for programs that have their own way. */
  createRuntime?: typeof createRuntime;
}

/** An agent that can be talked to. */
export interface OpenAgent {
  readonly name: string;
  readonly definition: AgentDefinition;
  readonly runtime: AgentRuntime;
  readonly tools: readonly AnyTool[];
  /** The same by the entries of the file that give them. */
  readonly entries: readonly OpenedEntry[];
  /** What reaches further than the rules, and what has no effect, where no event of a run tells it. */
  readonly warnings: readonly string[];
  /** What every session of the agent has: instructions, tools, rules and limits. */
  readonly request: SessionRequest;
  /** What every run of the agent has: the time that it may take, and what it may cost. */
  readonly limits: RunLimits;
  /** Opens a session of the agent, or goes on with one on record. */
  openSession(options?: Pick<SessionRequest, "id" | "labels">): Promise<AgentSession>;
  /** One run on its own, of no session. */
  run(prompt: Prompt, options?: Omit<SendOptions, "whenBusy">): AgentRun;
  /** Stops what runs, and lets go of tools and runtime. */
  close(): Promise<void>;
}

/**
 * Makes the runtime that the agent's file asks for and opens its tools. Throws ConfigError. Call `close()` when done.
 *
 * @example
 * const agent = await openAgent(await loadAgent("agent.yaml", { environment: process.env }));
 * const { text } = await agent.run("Where is order A-1001?").result;
 * await agent.close();
 */
export async function openAgent(definition: AgentDefinition, options: OpenAgentOptions = {}): Promise<OpenAgent> {
  const { createRuntime: create = createRuntime, signal: _signal, loading: _loading, ...given } = options;
  const { config } = definition;
  const project = await openAgentProject(definition, given);
  const telemetry = await openTelemetry(definition, options.logger);
  const runtime = await create({
    ...given,
    project,
    ...onEventOf(options, telemetry),
  }).catch((error: unknown) => leaveAll([telemetry], error));
  const parts = await openParts(definition, project, options, runtime).catch((error: unknown) =>
    leaveAll([runtime, telemetry], error),
  );
  const close = () => leave([runtime, parts, telemetry]);
  try {
    const isRuled = parts.settings.policy !== undefined || options.policyFile !== undefined;
    const policy = policyOf(definition, { mode: options.mode, claude: parts.claude, isRuled });
    const request = requestOf(definition, parts, policy);
    const limits = limitsOf(definition, parts);
    const labelled = (labels: Labels) => ({ labels: { ...request.labels, ...labels } });
    const { tools, entries } = parts;
    return {
      name: config.name,
      ...{ definition, runtime, request, limits, tools, entries, close },
      warnings: [...parts.warnings, ...(telemetry?.warnings ?? [])],
      async openSession({ labels, ...rest } = {}) {
        const session = await runtime.openSession({ ...request, ...rest, ...labelled(labels) });
        return withLimits(session, limits);
      },
      run: (prompt, { labels, ...rest } = {}) =>
        runtime.runAgentLoop({ ...limits, ...request, ...rest, prompt, ...labelled(labels) }),
    };
  } catch (error) {
    return leaveAll([{ close }], error);
  }
}

async function openTelemetry({ config, environment }: AgentDefinition, logger: Logger = silentLogger) {
  if (!config.observability?.enabled) return undefined;
  const { openObservability } = await import("../observability/open-observability.ts");
  return openObservability(config.observability, { name: config.name, environment, logger });
}

/** What spans hold of contents is told by events. */
function onEventOf({ onEvent }: OpenAgentOptions, telemetry: Pick<OpenAgentOptions, "onEvent"> | undefined) {
  if (!telemetry?.onEvent) return {};
  return {
    onEvent(event: RunEvent) {
      telemetry.onEvent?.(event);
      onEvent?.(event);
    },
  };
}

type Closable = { close(): Promise<void> } | undefined;

/** One after the other, whatever happens. */
async function leave([first, ...rest]: readonly Closable[]): Promise<void> {
  try {
    await first?.close();
  } finally {
    if (rest.length > 0) await leave(rest);
  }
}

async function leaveAll(open: readonly Closable[], error: unknown): Promise<never> {
  await leave(open);
  throw error;
}

type Labels = SessionRequest["labels"];

/** The session with the agent's limits in every run that has none of its own. */
function withLimits(session: AgentSession, limits: RunLimits): AgentSession {
  if (Object.keys(limits).length === 0) return session;
  return {
    ...session,
    get totals() {
      return session.totals;
    },
    get steps() {
      return session.steps;
    },
    send: (prompt, options) => session.send(prompt, { ...limits, ...options }),
    fork: async (options) => withLimits(await session.fork(options), limits),
  };
}
