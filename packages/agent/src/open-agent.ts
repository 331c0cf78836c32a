import {
  type AgentRun,
  type AgentRuntime,
  type AgentSession,
  type AnyTool,
  createPolicy,
  type Policy,
  type Prompt,
  type SendOptions,
  type SessionRequest,
  silentLogger,
} from "@bridle/core";
import { type CreateRuntimeOptions, createRuntime } from "@bridle/project";
import type { AgentDefinition } from "./agent-definition.ts";
import { providerOf } from "./agent-model.ts";
import { openTools } from "./open-tools.ts";

/** As of a runtime; the agent's file stands over the project's, and these options over both. */
export interface OpenAgentOptions
  extends Omit<CreateRuntimeOptions, "provider" | "environment" | "policy" | "policyFile"> {
  /** Opens something else than a runtime of the project, with the same options; for programs that have their own way. */
  createRuntime?: typeof createRuntime;
}

/** An agent that can be talked to. */
export interface OpenAgent {
  readonly name: string;
  readonly definition: AgentDefinition;
  readonly runtime: AgentRuntime;
  readonly tools: readonly AnyTool[];
  /** What is otherwise than the file says, in sentences. */
  readonly warnings: readonly string[];
  /** What every session of the agent has: instructions, tools, rules and limits. */
  readonly request: SessionRequest;
  /** Opens a session of the agent, or goes on with one on record. */
  openSession(options?: Pick<SessionRequest, "id" | "labels">): Promise<AgentSession>;
  /** One run on its own, of no session. */
  run(prompt: Prompt, options?: Omit<SendOptions, "whenBusy">): AgentRun;
  /** Stops what runs, and lets go of tools and runtime. */
  close(): Promise<void>;
}

const defaultSteps = 20;

/**
 * Makes the runtime that the agent's file asks for and opens its tools. Throws ConfigError. Call `close()` when done.
 *
 * @example
 * const agent = await openAgent(await loadAgent("agent.yaml", { environment: process.env }));
 * const { text } = await agent.run("Where is order A-1001?").result;
 * await agent.close();
 */
export async function openAgent(definition: AgentDefinition, options: OpenAgentOptions = {}): Promise<OpenAgent> {
  const { createRuntime: create = createRuntime, ...given } = options;
  const { config, environment, warnings } = definition;
  const provider = providerOf(definition);
  const policy = policyOf(definition, options);
  const opened = await openTools(definition, options.logger ?? silentLogger);
  try {
    const runtime = await create({
      ...given,
      environment,
      ...(provider && { provider }),
    });
    const request: SessionRequest = {
      system: [definition.instructions.text, ...opened.instructions].join("\n\n"),
      tools: opened.tools,
      stepBudget: defaultSteps,
      labels: { agent: config.name, instructions: definition.instructions.version },
      ...(policy && { policy }),
      ...(config.model?.max_tokens !== undefined && { maxOutputTokens: config.model.max_tokens }),
    };
    return {
      name: config.name,
      ...{ definition, runtime, request, warnings, tools: opened.tools },
      openSession: ({ labels, ...rest } = {}) =>
        runtime.openSession({ ...request, ...rest, labels: { ...request.labels, ...labels } }),
      run: (prompt, { labels, ...rest } = {}) =>
        runtime.runAgentLoop({ ...request, ...rest, prompt, labels: { ...request.labels, ...labels } }),
      close: () => runtime.close().finally(opened.close),
    };
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/** The rules of the agent's file, which decide over the project's, in the mode that the caller wants. */
function policyOf({ config, places }: AgentDefinition, { mode }: OpenAgentOptions): Policy | undefined {
  if (config.policy === undefined) return undefined;
  const positions = Object.entries(places.positions).flatMap(([path, position]) =>
    path.startsWith("policy.") ? [[path.slice("policy.".length), position] as const] : [],
  );
  return createPolicy({ ...config.policy, ...(mode && { mode }), positions: Object.fromEntries(positions) });
}
