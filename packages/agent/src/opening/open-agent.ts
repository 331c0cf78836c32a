import { type CreateRuntimeOptions, createRuntime, type LoadModuleOptions, type Project } from "@bridle/project";
import { runtimeShape } from "@bridle/project/operations";
import {
  type AgentRun,
  type AgentRuntime,
  type AgentSession,
  type AnyTool,
  given,
  type OptionsShape,
  optionsCheck,
  type Prompt,
  type RunEvent,
  type SendOptions,
  type SessionRequest,
  silentLogger,
} from "@bridle/protocol";
import { openWhole } from "../agent-settings.ts";
import type { AgentDefinition } from "../definition/agent-definition.ts";
import { agentPolicy } from "../definition/agent-policy.ts";
import type { AgentChain } from "../delegation/nested-files.ts";
import type { Observability } from "../observability/open-observability.ts";
import { type FileOptions, withFileOptions } from "./file-options.ts";
import { requireUsable } from "./find-agent-problems.ts";
import { LimitedSession } from "./limited-session.ts";
import { type AgentParts, openParts } from "./open-parts.ts";
import type { OpenedEntry } from "./open-tools.ts";
import { type RunLimits, runLimits, sessionRequest } from "./session-request.ts";

/** The options of a runtime. The agent file overrides the project's settings, and these options override both. */
export interface OpenAgentOptions
  extends Omit<CreateRuntimeOptions, "provider" | "environment" | "processEnvironment" | "policy" | "agent"> {
  /** Tools of the program, in addition to those of the file. */
  tools?: readonly AnyTool[];
  /** Cancels opening the tools. */
  signal?: AbortSignal;
  /** How the modules of function tools are loaded. */
  loading?: LoadModuleOptions;
  /** Creates the runtime from the same options, for programs that have their own runtime. Default: `createRuntime`. */
  createRuntime?: typeof createRuntime;
}

/** The options of an agent that is a tool of another one. */
interface NestedOptions extends OpenAgentOptions {
  readonly chain?: AgentChain;
}

/** The options of one session of an agent. All other settings are in the agent file. */
export type AgentSessionOptions = Pick<
  SessionRequest,
  "id" | "labels" | "approve" | "projectDir" | "environment" | "eventDetails"
>;

const {
  provider: _provider,
  environment: _environment,
  processEnvironment: _process,
  policy: _policy,
  agent: _agent,
  ...ofRuntime
} = runtimeShape;

/** The schemas of the options, for functions with additional options. */
export const openAgentShape: OptionsShape<OpenAgentOptions> = {
  ...ofRuntime,
  tools: given.list.optional(),
  signal: given.signal.optional(),
  loading: given.object.optional(),
  createRuntime: given.callback.optional(),
};

const checkOptions = optionsCheck("openAgent", openAgentShape, {
  remedies: {
    policy: "Set it in the agent file, or pass it to openSession() or run().",
    environment: "Pass it to loadAgent() or defineAgent().",
  },
});

/** An agent that is ready to run. */
export interface OpenAgent {
  readonly name: string;
  readonly definition: AgentDefinition;
  readonly runtime: AgentRuntime;
  readonly tools: readonly AnyTool[];
  /** The same tools, grouped by the entries of the agent file. */
  readonly entries: readonly OpenedEntry[];
  /** Warnings about settings that bypass the rules or have no effect, except those that an event of a run reports. */
  readonly warnings: readonly string[];
  /** The request of every session: instructions, tools, rules and the step limit. */
  readonly request: SessionRequest & { readonly stepBudget: number };
  /** The limits of every run: time and cost. */
  readonly limits: RunLimits;
  /** Opens a session of the agent. With the `id` of a stored session, it continues that session. */
  openSession(options?: AgentSessionOptions): Promise<AgentSession>;
  /** Starts one run without a session. */
  run(prompt: Prompt, options?: Omit<SendOptions, "whenBusy" | "runId">): AgentRun;
  /** Stops all runs and releases the tools and the runtime. */
  close(): Promise<void>;
}

/**
 * Creates the runtime that the agent file configures, and opens the agent's tools. Call `close()` when you are done.
 *
 * @throws ConfigError if a setting is wrong or a tool cannot be opened. Nothing is left open then.
 *
 * @example
 * const agent = await openAgent(await loadAgent("agent.yaml", { environment: process.env }));
 * const { text } = await agent.run("Where is order A-1001?").result;
 * await agent.close();
 */
export async function openAgent(definition: AgentDefinition, options: OpenAgentOptions = {}): Promise<OpenAgent> {
  checkOptions(options);
  return open(definition, options);
}

async function open(given: AgentDefinition, options: NestedOptions): Promise<OpenAgent> {
  const { definition, project } = await openWhole(given, projectOptions(options), options);
  if (options.chain === undefined) await requireUsable(definition, project, options); // with the files of nested agents
  const telemetry = options.chain ? undefined : await openTelemetry(definition, options); // the outermost agent's setting applies
  const runtime = await openRuntime(project, { ...options, agent: definition.config.name }, telemetry).catch(
    (error: unknown) => closeAndThrow([telemetry], error),
  );
  const openNested = (chain: AgentChain) => open(chain.definition, nestedOptions(options, chain));
  const parts = await openParts(definition, project, { ...options, openNested }, () => runtime).catch(
    (error: unknown) => closeAndThrow([runtime, telemetry], error),
  );
  try {
    const isRuled = parts.settings.policy !== undefined || options.policyFile !== undefined;
    const policy = agentPolicy(definition, { mode: options.mode, hostBlock: parts.hostBlock, isRuled });
    return new Agent({ definition, runtime, parts, telemetry, request: sessionRequest(definition, parts, policy) });
  } catch (error) {
    return closeAndThrow([runtime, parts, telemetry], error);
  }
}

/**
 * Opens a nested agent, with its own model, tools and mode, and its events in its own session. It runs in the folder of its caller. The
 * caller's mode already restricts it, and must not replace the mode in its file.
 */
function nestedOptions(
  { tools: _own, model: _model, models: _models, mode: _mode, onEvent: _listener, ...options }: NestedOptions,
  chain: AgentChain,
) {
  return { ...options, chain };
}

interface AgentInternals {
  readonly definition: AgentDefinition;
  readonly runtime: AgentRuntime;
  readonly parts: AgentParts;
  readonly telemetry: Observability | undefined;
  readonly request: SessionRequest & { readonly stepBudget: number };
}

class Agent implements OpenAgent {
  readonly name: string;
  readonly definition: AgentDefinition;
  readonly runtime: AgentRuntime;
  readonly tools: readonly AnyTool[];
  readonly entries: readonly OpenedEntry[];
  readonly warnings: readonly string[];
  readonly request: SessionRequest & { readonly stepBudget: number };
  readonly limits: RunLimits;
  readonly #parts: readonly Closable[];

  constructor({ definition, runtime, parts, telemetry, request }: AgentInternals) {
    this.name = definition.config.name;
    this.definition = definition;
    this.runtime = runtime;
    this.tools = parts.tools;
    this.entries = parts.entries;
    this.warnings = [...parts.warnings, ...(telemetry?.warnings ?? [])];
    this.request = request;
    this.limits = runLimits(definition, parts);
    this.#parts = [runtime, parts, telemetry];
  }

  async openSession({ labels, ...rest }: AgentSessionOptions = {}): Promise<AgentSession> {
    const session = await this.runtime.openSession({ ...this.request, ...rest, labels: this.#withLabels(labels) });
    return new LimitedSession(session, this.#ofFile());
  }

  run(prompt: Prompt, { labels, ...rest }: Omit<SendOptions, "whenBusy" | "runId"> = {}): AgentRun {
    const request = { ...this.request, ...withFileOptions(rest, this.#ofFile()), prompt };
    return this.runtime.runAgentLoop({ ...request, labels: this.#withLabels(labels) });
  }

  close(): Promise<void> {
    return closeAll(this.#parts);
  }

  #ofFile(): FileOptions {
    return { limits: this.limits, policy: this.request.policy };
  }

  #withLabels(labels: SessionRequest["labels"]): NonNullable<SessionRequest["labels"]> {
    return { ...this.request.labels, ...labels };
  }
}

function openRuntime(
  project: Project,
  options: OpenAgentOptions & Pick<CreateRuntimeOptions, "agent">,
  telemetry: Observability | undefined,
): Promise<AgentRuntime> {
  const { createRuntime: create = createRuntime } = options;
  return create({ ...projectOptions(options), project, ...eventListener(options, telemetry) });
}

function projectOptions({
  createRuntime: _create,
  signal: _signal,
  loading: _loading,
  tools: _tools,
  chain: _chain,
  ...options
}: NestedOptions): CreateRuntimeOptions {
  return options;
}

async function openTelemetry(
  { config, environment }: AgentDefinition,
  { logger = silentLogger, rehearse }: Pick<OpenAgentOptions, "logger" | "rehearse">,
) {
  if (config.observability === undefined) return undefined;
  const { openObservability } = await import("../observability/open-observability.ts");
  return openObservability(config.observability, {
    name: config.name,
    environment,
    logger,
    isRehearsed: rehearse !== undefined,
  });
}

/** Passes events to the telemetry, which takes the contents of spans from them. */
function eventListener({ onEvent }: OpenAgentOptions, telemetry: Observability | undefined) {
  if (!telemetry?.onEvent) return {};
  return {
    onEvent(event: RunEvent) {
      telemetry.onEvent?.(event);
      onEvent?.(event);
    },
  };
}

type Closable = { close(): Promise<void> } | undefined;

/** Closes resources one after the other. If one fails, the others are still closed. */
async function closeAll([first, ...rest]: readonly Closable[]): Promise<void> {
  try {
    await first?.close();
  } finally {
    if (rest.length > 0) await closeAll(rest);
  }
}

async function closeAndThrow(open: readonly Closable[], error: unknown): Promise<never> {
  await closeAll(open);
  throw error;
}
