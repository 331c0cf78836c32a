import { type AgentDefinition, type ModelConfig, modelProvider, openProjectFor } from "@bridle/agent";
import { type CreateRuntimeOptions, createRuntime } from "@bridle/project";
import type { AgentRuntime, ObjectRequest } from "@bridle/protocol";

/** Of the runtimes of judges that the agent's file names. What chooses the agent's own host or model is not among them. */
export interface JudgeOptions
  extends Pick<
    CreateRuntimeOptions,
    "project" | "projectDir" | "namespace" | "limits" | "unattended" | "logger" | "eventLog" | "onEvent" | "rehearse"
  > {
  /** Opens something else than a runtime of the project, with the same options. */
  readonly createRuntime?: typeof createRuntime;
}

/** Where a judge is asked, and what each question to it has. */
export interface JudgeHost {
  /** Rejects with a ConfigError where there is none. */
  runtime(): Promise<AgentRuntime>;
  readonly request: Pick<ObjectRequest<unknown>, "model" | "temperature" | "topP" | "maxOutputTokens">;
  /** It is not the agent's own. */
  readonly isOwn: boolean;
  /** Some judge has answered here. */
  hasAnswered: boolean;
  /** Lets go of what was opened for judges. */
  close(): Promise<void>;
}

/** The agent's own, which others close. */
export function agentHost(runtime: AgentRuntime): JudgeHost {
  return {
    runtime: async () => runtime,
    request: { temperature: 0 },
    ...{ isOwn: false, hasAnswered: false },
    async close() {},
  };
}

/** Opened with the first question. */
export function modelHost(definition: AgentDefinition, model: ModelConfig, options: JudgeOptions): JudgeHost {
  let opening: Promise<AgentRuntime> | undefined;
  const { temperature = 0, top_p, max_tokens, name } = model;
  return {
    runtime() {
      opening ??= open(definition, model, options);
      return opening;
    },
    request: {
      ...{ model: name, temperature },
      ...(top_p !== undefined && { topP: top_p }),
      ...(max_tokens !== undefined && { maxOutputTokens: max_tokens }),
    },
    ...{ isOwn: true, hasAnswered: false },
    async close() {
      const runtime = await opening?.catch(() => undefined); // what could not be opened was told to those who asked
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
    provider: modelProvider(definition, model, pathTo(model, config) ?? "evaluations.model"),
    values,
  });
}

/** The caller may hold more, such as the backend that it chose for the agent. */
function only(options: JudgeOptions): CreateRuntimeOptions {
  const { project, projectDir, limits, unattended, logger, eventLog, onEvent, rehearse } = options;
  const namespace = options.namespace === undefined ? {} : { namespace: options.namespace };
  return { project, projectDir, ...namespace, limits, unattended, logger, eventLog, onEvent, rehearse };
}

/** Where a mapping stands in what holds it, such as `test_cases.0.evaluations.2.model`. */
function pathTo(wanted: object, holder: unknown): string | undefined {
  if (typeof holder !== "object" || holder === null) return undefined;
  for (const [key, value] of Object.entries(holder)) {
    if (value === wanted) return key;
    const below = pathTo(wanted, value);
    if (below !== undefined) return `${key}.${below}`;
  }
  return undefined;
}
