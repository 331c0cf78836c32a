import { type AgentDefinition, type ModelConfig, modelProvider, openProjectFor } from "@bridle/agent";
import { type CreateRuntimeOptions, createRuntime } from "@bridle/project";
import { type AgentRuntime, findPath, type ObjectRequest } from "@bridle/protocol";

/** Options for the runtimes of judges that the agent file names. They exclude the agent's own host and model. */
export interface JudgeOptions
  extends Pick<
    CreateRuntimeOptions,
    "project" | "projectDir" | "namespace" | "limits" | "unattended" | "logger" | "eventLog" | "onEvent" | "rehearse"
  > {
  /** Opens the runtime. Default: a runtime of the project. */
  readonly createRuntime?: typeof createRuntime;
}

/** The host of a judge, and the options of each question. */
export interface JudgeHost {
  /** Rejects with a ConfigError if no judge is configured. */
  runtime(): Promise<AgentRuntime>;
  readonly request: Pick<ObjectRequest<unknown>, "model" | "temperature" | "topP" | "maxOutputTokens">;
  /** Whether the host is different from the agent's host. */
  readonly isOwn: boolean;
  /** Whether a judge has answered on this host. */
  hasAnswered: boolean;
  /** Closes the runtime if it was opened for judges. */
  close(): Promise<void>;
}

/** Returns the agent's own host, which its owner closes. */
export function agentHost(runtime: AgentRuntime): JudgeHost {
  return {
    runtime: async () => runtime,
    request: { temperature: 0 },
    isOwn: false,
    hasAnswered: false,
    async close() {},
  };
}

/** Returns a model's host. Its runtime is opened for the first question. */
export function modelHost(definition: AgentDefinition, model: ModelConfig, options: JudgeOptions): JudgeHost {
  let opening: Promise<AgentRuntime> | undefined;
  const { temperature = 0, top_p, max_tokens, name } = model;
  return {
    runtime() {
      opening ??= open(definition, model, options);
      return opening;
    },
    request: {
      model: name,
      temperature,
      ...(top_p !== undefined && { topP: top_p }),
      ...(max_tokens !== undefined && { maxOutputTokens: max_tokens }),
    },
    isOwn: true,
    hasAnswered: false,
    async close() {
      const runtime = await opening?.catch(() => undefined); // the callers of runtime() got the error
      await runtime?.close();
    },
  };
}

async function open(definition: AgentDefinition, model: ModelConfig, options: JudgeOptions): Promise<AgentRuntime> {
  const { createRuntime: create = createRuntime } = options;
  const { values, config } = definition;
  const project = (await openProjectFor(definition, only(options))).asConfigured();
  return create({
    ...only(options),
    project,
    provider: modelProvider(definition, model, findPath(config, model) ?? "evaluations.model"),
    values,
  });
}

/** Keeps only the options of judges, because the caller may pass others, such as the agent's backend. */
function only(options: JudgeOptions): CreateRuntimeOptions {
  const { project, projectDir, limits, unattended, logger, eventLog, onEvent, rehearse } = options;
  const namespace = options.namespace === undefined ? {} : { namespace: options.namespace };
  return { project, projectDir, ...namespace, limits, unattended, logger, eventLog, onEvent, rehearse };
}
