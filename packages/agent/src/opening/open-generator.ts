/** A model that an entry of `tools` configures for its own requests, such as `context_model`. */
import { type CreateRuntimeOptions, createRuntime, type Project } from "@bridle/project";
import { type AgentRuntime, type ClosableGenerator, findPath, omitUndefined } from "@bridle/protocol";
import type { ModelConfig } from "../config/model.ts";
import type { AgentDefinition } from "../definition/agent-definition.ts";
import { modelProvider } from "../definition/agent-model.ts";

export interface GeneratorOptions
  extends Pick<CreateRuntimeOptions, "eventLog" | "onEvent" | "limits" | "unattended" | "logger"> {
  /** Creates the runtime. Default: `createRuntime`. */
  readonly createRuntime?: ((options: CreateRuntimeOptions) => Promise<AgentRuntime>) | undefined;
}

/** Opens the runtime of a model when the first request arrives. */
export function openGenerator(
  definition: AgentDefinition,
  project: Project,
  model: ModelConfig,
  { createRuntime: create = createRuntime, ...options }: GeneratorOptions = {},
): ClosableGenerator {
  const { config, values } = definition;
  const { name, temperature, top_p: topP, max_tokens: maxOutputTokens } = model;
  const request = omitUndefined({ model: name, temperature, topP, maxOutputTokens });
  let opening: Promise<AgentRuntime> | undefined;
  const open = () => {
    const provider = modelProvider(definition, model, findPath(config, model) ?? "model");
    const { eventLog, onEvent, limits, unattended, logger } = options;
    const given = omitUndefined({ eventLog, onEvent, limits, unattended, logger });
    return create({ ...given, project: project.asConfigured(), provider, values });
  };
  return {
    async generateText(asked) {
      opening ??= open();
      return (await opening).generateText({ ...asked, ...request });
    },
    async close() {
      const runtime = await opening?.catch(() => undefined); // the caller of the request got the error
      await runtime?.close();
    },
  };
}
