import type { AgentRun, AgentRuntime, AgentSession, AnyTool, Prompt, SendOptions, SessionRequest } from "@bridle/core";
import { type CreateRuntimeOptions, createRuntime } from "@bridle/project";
import type { AgentDefinition } from "./agent-definition.ts";
import { modelOptions } from "./agent-model.ts";
import { policyOf } from "./agent-policy.ts";
import { documentsServices } from "./documents-services.ts";
import { type OpenedEntry, openTools } from "./open-tools.ts";
import { requestOf } from "./request-of.ts";
import { surroundingsOf } from "./surroundings-of.ts";

/** As of a runtime; the agent's file stands over the project's, and these options over both. */
export interface OpenAgentOptions
  extends Omit<CreateRuntimeOptions, "provider" | "environment" | "policy" | "policyFile"> {
  /** Gives up opening tools. */
  signal?: AbortSignal;
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
  /** What is otherwise than the file says, in sentences. */
  readonly warnings: readonly string[];
  /** What every session of the agent has: instructions, tools, rules and limits. */
  readonly request: SessionRequest;
  /** What every run of the agent has: the time that it may take. */
  readonly limits: Pick<SendOptions, "timeoutMs">;
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
  const { createRuntime: create = createRuntime, signal, ...given } = options;
  const { config, environment, warnings } = definition;
  const policy = policyOf(definition, options.mode);
  const runtime = await create({
    ...given,
    ...(given.namespace === undefined && { environment }),
    ...modelOptions(definition, options),
  });
  try {
    const services = documentsServices(definition, options, runtime);
    const opened = await openTools(definition, await surroundingsOf(definition, options), services);
    const tools = opened.entries.flatMap((entry) => entry.tools);
    const request = requestOf(definition, { tools, instructions: opened.instructions, policy });
    const timeoutMs = config.execution?.llm_timeout;
    const limits = timeoutMs === undefined ? {} : { timeoutMs: timeoutMs * 1000 };
    const labelled = (labels: Labels) => ({ labels: { ...request.labels, ...labels } });
    return {
      name: config.name,
      ...{ definition, runtime, request, limits, warnings, tools, entries: opened.entries },
      async openSession({ labels, ...rest } = {}) {
        const session = await runtime.openSession({ ...request, ...rest, ...labelled(labels) });
        return withLimits(session, limits);
      },
      run: (prompt, { labels, ...rest } = {}) =>
        runtime.runAgentLoop({ ...limits, ...request, ...rest, prompt, ...labelled(labels) }),
      close: () => runtime.close().finally(opened.close),
    };
  } catch (error) {
    await runtime.close();
    throw error;
  }
}

type Labels = SessionRequest["labels"];

/** The session with the agent's limits in every run that has none of its own. */
function withLimits(session: AgentSession, limits: Pick<SendOptions, "timeoutMs">): AgentSession {
  if (limits.timeoutMs === undefined) return session;
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
