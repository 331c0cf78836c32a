import { createToolbox, normaliseToolName, resolveMode } from "@bridle/core";
import { createValueRedactor, type Project, summarizeTrust } from "@bridle/project";
import { type AnyTool, given, type JsonSchema, optionsCheck, resolveAnnotations } from "@bridle/protocol";
import { type AgentProjectOptions, findAgentProject } from "../agent-settings.ts";
import type { AgentDefinition } from "../definition/agent-definition.ts";
import type { AgentChain } from "../delegation/nested-files.ts";
import { findKind } from "../tool-kinds/find-kind.ts";
import { effectiveFiles } from "../trust/effective-files.ts";
import { readTrusted } from "../trust/read-outside.ts";
import { type AgentDescription, agentDescriptionSchema } from "./agent-description.ts";
import { findFileProblems, formatFileProblem, listHostProblems } from "./find-agent-problems.ts";
import { listWarnings } from "./list-warnings.ts";
import { openNestedToolset } from "./nested-toolset.ts";
import { type AgentParts, openParts } from "./open-parts.ts";
import type { OpenedEntry } from "./open-tools.ts";
import { stepLimit } from "./session-request.ts";
import type { ToolOptions } from "./tool-context.ts";

export type DescribeAgentOptions = Pick<AgentProjectOptions, "project" | "projectDir" | "backend"> &
  Pick<ToolOptions, "logger" | "loading" | "rehearse"> & {
    /**
     * Why the tools are not opened, such as `nobody may start it`. Then only the tools that the file names are listed. Default: tools are
     * opened.
     */
    readonly unopened?: string | undefined;
  };

const shownLines = 5;

const checkOptions = optionsCheck<DescribeAgentOptions & { cwd?: string }>("describeAgent", {
  project: given.object.optional(),
  projectDir: given.text.optional(),
  cwd: given.text.optional(),
  backend: given.text.optional(),
  logger: given.object.optional(),
  loading: given.object.optional(),
  rehearse: given.anything.optional(),
  unopened: given.text.optional(),
});

/**
 * Describes the parts of an agent: its model, tools, rules and limits. It opens the tools to list them and closes them again, unless the
 * folder is not trusted or the file has problems. It calls no model, and the result contains no credentials. Throws ConfigError if a tool
 * cannot be opened.
 */
export async function describeAgent(
  agent: AgentDefinition,
  options: DescribeAgentOptions = {},
): Promise<AgentDescription> {
  checkOptions(options);
  const project = await findAgentProject(agent, options);
  const definition = await readTrusted(agent, project);
  const trust = summarizeTrust(await project.checkTrust(await effectiveFiles(definition, project)));
  const ofFile = await findFileProblems(definition, project, options);
  const problems = [...listHostProblems(definition, project, options), ...ofFile];
  const obstacle = trust.isTrusted ? (ofFile.length > 0 ? "the file has problems" : options.unopened) : notTrusted;
  const openNested = (chain: AgentChain) => openNestedToolset(chain, { project }, options);
  const parts = obstacle
    ? closedParts(definition, project, obstacle)
    : await openParts(definition, project, { ...options, openNested });
  await parts.close();
  const { settings, hostBlock, entries, tools, warnings } = parts;
  return redacted(definition, {
    ...describeFile(definition, trust.isTrusted),
    trust,
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
    problems: problems.map(formatFileProblem),
    warnings: [...definition.warnings, ...warnings],
  });
}

const notTrusted = "the folder is not trusted";

/** Describes an agent that cannot be opened. Its tools are those that the file names. */
function closedParts(definition: AgentDefinition, project: Project, obstacle: string): AgentParts {
  const { config, toolKinds } = definition;
  const { settings } = project;
  const entries = (config.tools ?? []).map((tool, index): OpenedEntry => {
    const annotations = {};
    const named = { name: tool.name, description: tool.description ?? `not opened, because ${obstacle}` };
    const shown = { ...named, annotations } as AnyTool; // only described, never called
    const source = findKind(tool, toolKinds).describe(tool);
    return { field: `tools.${index}`, kind: tool.type, source, tools: [shown] };
  });
  const closed = `${capitalize(obstacle)}, so no tool was opened, and their own names may differ.`;
  const warnings = [closed, ...listWarnings(definition, project, undefined, {})];
  const tools = entries.flatMap((entry) => entry.tools);
  return { settings, entries, tools, instructions: [], warnings, close: async () => {} };
}

function capitalize(clause: string): string {
  return `${clause.charAt(0).toUpperCase()}${clause.slice(1)}`;
}

/**
 * Replaces values from the environment, which may be secrets, with their references. The list for trust is not redacted: it already
 * contains references, and the file must not control which parts of it are hidden.
 */
function redacted({ values }: AgentDefinition, { trust, ...description }: AgentDescription): AgentDescription {
  const redactor = createValueRedactor(values);
  const redact = (_key: string, value: unknown) => (typeof value === "string" ? redactor.text(value) : value);
  return agentDescriptionSchema.parse({ ...JSON.parse(JSON.stringify(description), redact), trust });
}

function describeFile({ config, file, instructions, responseFormat }: AgentDefinition, isTrusted: boolean) {
  const { name, description = null, author = null, model, policy, test_cases: cases = [] } = config;
  const { temperature, top_p, max_tokens } = model ?? {};
  const settings = Object.entries({ temperature, top_p, max_tokens }).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, value] as const],
  );
  return {
    name,
    file,
    description,
    author,
    instructions: describeInstructions(instructions, isTrusted),
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

/** Hides instructions that are not trusted, because their path may lead to any file on this machine. */
function describeInstructions(
  instructions: AgentDefinition["instructions"],
  isTrusted: boolean,
): AgentDescription["instructions"] {
  const { text, version, file, author, description, tags = [] } = instructions;
  const isShown = isTrusted || file === undefined;
  return {
    version,
    file: file ?? null,
    author: author ?? null,
    description: description ?? null,
    tags: [...tags],
    firstLines: isShown ? text.split("\n").slice(0, shownLines) : [],
    characters: text.length,
    text: isShown ? text : null,
  };
}

function describeTools({ tools, kind, source, field }: OpenedEntry): AgentDescription["tools"] {
  return tools.map((tool) => ({
    name: normaliseToolName(tool.name),
    kind,
    source,
    field,
    description: tool.description,
    annotations: resolveAnnotations(tool.annotations),
    inputSchema: tool.input === undefined ? null : inputSchemaOf(tool),
  }));
}

/** Returns `null` if a run would refuse the tool, which is described, too. */
function inputSchemaOf(tool: AnyTool): JsonSchema | null {
  try {
    return createToolbox([tool]).declarations[0]?.inputSchema ?? null;
  } catch {
    return null;
  }
}
