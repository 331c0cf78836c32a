/** What of an agent will be used; no model is called, and no secret told. */
import { normaliseToolName, resolveMode } from "@bridle/core";
import { createConcealer } from "@bridle/project";
import type { ToolAnnotations } from "@bridle/protocol";
import { type AgentProjectOptions, openAgentProject } from "../agent-settings.ts";
import type { AgentDefinition } from "../definition/agent-definition.ts";
import { type AgentDescription, agentDescriptionSchema } from "./agent-description.ts";
import { openParts, type PartsOptions } from "./open-parts.ts";
import type { OpenedEntry } from "./open-tools.ts";
import { stepsOf } from "./session-request.ts";

export type DescribeAgentOptions = Pick<AgentProjectOptions, "project" | "projectDir" | "backend"> &
  Pick<PartsOptions, "logger" | "loading">;

const shownLines = 5;

/** Opens the tools of the agent to tell what they are, and closes them. Throws ConfigError. */
export async function describeAgent(
  definition: AgentDefinition,
  options: DescribeAgentOptions = {},
): Promise<AgentDescription> {
  const parts = await openParts(definition, await openAgentProject(definition, options), options);
  await parts.close();
  const { settings, claude, entries, tools, warnings } = parts;
  return concealed(definition, {
    ...ofFile(definition),
    backend: settings.provider.backend,
    model: settings.written["llm.models.default"] ?? settings.models.default ?? null,
    tools: entries.flatMap((entry) => toolsOf({ ...entry, tools: entry.tools.filter((each) => tools.includes(each)) })),
    builtins: [...(claude?.builtins ?? [])],
    limits: {
      steps: stepsOf(definition.config, claude),
      seconds: definition.config.execution?.llm_timeout ?? null,
      costUsd: claude?.maxCostUsd ?? null,
    },
    warnings: [...definition.warnings, ...warnings],
  });
}

/** What came from the environment may be a secret wherever it stands: its reference is told instead. */
function concealed({ values }: AgentDefinition, description: AgentDescription): AgentDescription {
  const conceal = createConcealer(values);
  const clean = (_key: string, value: unknown) => (typeof value === "string" ? conceal.text(value) : value);
  return agentDescriptionSchema.parse(JSON.parse(JSON.stringify(description), clean));
}

function ofFile({ config, file, instructions, responseFormat }: AgentDefinition) {
  const { name, description = null, author = null, model, policy, test_cases: cases = [] } = config;
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
    answers: responseFormat ? ("object" as const) : ("text" as const),
    testCases: cases.length,
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
