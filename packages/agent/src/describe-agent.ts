/** What of an agent will be used; no model is called, and no secret told. */
import { type Logger, normaliseToolName, resolveMode, type ToolAnnotations } from "@bridle/core";
import { resolveSettings, type SettingsOptions } from "@bridle/project";
import type { AgentDefinition } from "./agent-definition.ts";
import type { AgentDescription } from "./agent-description.ts";
import { modelOptions } from "./agent-model.ts";
import { documentsServices } from "./documents-services.ts";
import { type OpenedEntry, openTools } from "./open-tools.ts";
import { defaultSteps } from "./request-of.ts";
import { surroundingsOf } from "./surroundings-of.ts";

export interface DescribeAgentOptions extends Pick<SettingsOptions, "projectDir" | "backend"> {
  logger?: Logger;
}

const shownLines = 5;

/** Opens the tools of the agent to tell what they are, and closes them. Throws ConfigError. */
export async function describeAgent(
  definition: AgentDefinition,
  options: DescribeAgentOptions = {},
): Promise<AgentDescription> {
  const { environment } = definition;
  const { logger: _logger, ...where } = options;
  const settings = await resolveSettings({ ...where, environment, ...modelOptions(definition, where) });
  const surroundings = await surroundingsOf(definition, options);
  const opened = await openTools(definition, surroundings, documentsServices(definition, where));
  await opened.close();
  return {
    ...ofFile(definition),
    backend: settings.provider.backend,
    model: settings.written["llm.models.default"] ?? settings.models.default ?? null,
    tools: opened.entries.flatMap(toolsOf),
  };
}

function ofFile({ config, file, instructions, responseFormat, warnings }: AgentDefinition) {
  const { name, description = null, author = null, model, policy, execution, test_cases: cases = [] } = config;
  const { temperature, top_p, max_tokens } = model ?? {};
  const { text, ...about } = instructions;
  const settings = Object.entries({ temperature, top_p, max_tokens }).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, value] as const],
  );
  return {
    ...{ name, file, description, author },
    instructions: {
      version: about.version,
      file: about.file ?? null,
      author: about.author ?? null,
      description: about.description ?? null,
      tags: [...(about.tags ?? [])],
      firstLines: text.split("\n").slice(0, shownLines),
      characters: text.length,
    },
    settings: Object.fromEntries(settings),
    policy: policy
      ? {
          mode: resolveMode(policy.mode ?? "normal").mode,
          rules: policy.rules?.length ?? 0,
          disabled: policy.disable ?? [],
        }
      : null,
    limits: { steps: execution?.max_steps ?? defaultSteps, seconds: execution?.llm_timeout ?? null },
    answers: responseFormat ? ("object" as const) : ("text" as const),
    testCases: cases.length,
    warnings: [...warnings],
  };
}

function toolsOf({ tools, kind, field }: OpenedEntry): AgentDescription["tools"] {
  return tools.map(({ name, description, annotations = {} }) => ({
    name: normaliseToolName(name),
    ...{ kind, field, description },
    annotations: whole(annotations),
  }));
}

/** What is not promised is null. */
function whole({ readOnly = null, destructive = null, idempotent = null, openWorld = null }: Partial<Nullable>) {
  return { readOnly, destructive, idempotent, openWorld };
}

type Nullable = { [K in keyof ToolAnnotations]-?: boolean | null };
