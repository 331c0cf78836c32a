import { normaliseToolName, resolveMode } from "@bridle/core";
import { createValueRedactor } from "@bridle/project";
import { resolveAnnotations } from "@bridle/protocol";
import { type AgentProjectOptions, openAgentProject } from "../agent-settings.ts";
import type { AgentDefinition } from "../definition/agent-definition.ts";
import { type AgentDescription, agentDescriptionSchema } from "./agent-description.ts";
import { openParts } from "./open-parts.ts";
import type { OpenedEntry } from "./open-tools.ts";
import { stepLimit } from "./session-request.ts";
import type { ToolOptions } from "./tool-context.ts";

export type DescribeAgentOptions = Pick<AgentProjectOptions, "project" | "projectDir" | "backend"> &
  Pick<ToolOptions, "logger" | "loading">;

const shownLines = 5;

/**
 * Describes what an agent uses: its model, tools, rules and limits. It opens the tools to list them, and closes them. No
 * model is called, and the result has no credentials. Throws ConfigError.
 */
export async function describeAgent(
  definition: AgentDefinition,
  options: DescribeAgentOptions = {},
): Promise<AgentDescription> {
  const parts = await openParts(definition, await openAgentProject(definition, options), options);
  await parts.close();
  const { settings, hostBlock, entries, tools, warnings } = parts;
  return redacted(definition, {
    ...describeFile(definition),
    backend: settings.provider.backend,
    model: settings.written["llm.models.default"] ?? settings.models.default ?? null,
    tools: entries.flatMap((entry) =>
      describeTools({ ...entry, tools: entry.tools.filter((each) => tools.includes(each)) }),
    ),
    builtins: [...(hostBlock?.builtins ?? [])],
    limits: {
      steps: stepLimit(definition.config, hostBlock),
      seconds: definition.config.execution?.llm_timeout ?? null,
      costUsd: hostBlock?.maxCostUsd ?? null,
    },
    warnings: [...definition.warnings, ...warnings],
  });
}

/** Values from the environment may be secrets, so their references are shown instead. */
function redacted({ values }: AgentDefinition, description: AgentDescription): AgentDescription {
  const redactor = createValueRedactor(values);
  const redact = (_key: string, value: unknown) => (typeof value === "string" ? redactor.text(value) : value);
  return agentDescriptionSchema.parse(JSON.parse(JSON.stringify(description), redact));
}

function describeFile({ config, file, instructions, responseFormat }: AgentDefinition) {
  const { name, description = null, author = null, model, policy, test_cases: cases = [] } = config;
  const { temperature, top_p, max_tokens } = model ?? {};
  const settings = Object.entries({ temperature, top_p, max_tokens }).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, value] as const],
  );
  return {
    ...{ name, file, description, author },
    instructions: describeInstructions(instructions),
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

function describeInstructions(instructions: AgentDefinition["instructions"]): AgentDescription["instructions"] {
  const { text, version, file, author, description, tags = [] } = instructions;
  return {
    ...{ version, file: file ?? null, author: author ?? null, description: description ?? null },
    tags: [...tags],
    firstLines: text.split("\n").slice(0, shownLines),
    characters: text.length,
  };
}

function describeTools({ tools, kind, source, field }: OpenedEntry): AgentDescription["tools"] {
  return tools.map(({ name, description, annotations }) => ({
    name: normaliseToolName(name),
    ...{ kind, source, field, description },
    annotations: resolveAnnotations(annotations),
  }));
}
