import type { AgentDefinition } from "@bridle/agent";
import {
  type FileProblem,
  type LoadModuleOptions,
  type Project,
  summarizeTrust,
  type TrustSummary,
  trustSchema,
} from "@bridle/project";
import { isBridleError } from "@bridle/protocol";
import { z } from "zod";
import type { AppContext } from "../context/app-context.ts";
import { loadAgentFile } from "./load-agent-file.ts";

export const agentProblemSchema = z.strictObject({
  file: z.string(),
  /** The position of the problem. Lines and columns count from 1. */
  line: z.int().positive().nullable(),
  column: z.int().positive().nullable(),
  /** The path of the key, such as `tools.0.command`. */
  field: z.string().nullable(),
  message: z.string(),
  /** For an unknown name, the nearest known name. */
  nearest: z.string().nullable(),
});
export type AgentProblem = z.output<typeof agentProblemSchema>;

/** The result of checking an agent file, as `bridle agent validate --json` prints it. */
export const agentCheckSchema = z.strictObject({
  file: z.string(),
  ok: z.boolean(),
  problems: z.array(agentProblemSchema),
  warnings: z.array(z.string()),
  /** The effects of the file once it is trusted. Empty if the file could not be read. */
  trust: trustSchema,
  /** `null` if the file is not valid. */
  agent: z
    .strictObject({
      name: z.string(),
      backend: z.string(),
      toolEntries: z.int().nonnegative(),
      testCases: z.int().nonnegative(),
    })
    .nullable(),
});
export type AgentCheck = z.output<typeof agentCheckSchema>;

export interface AgentCheckOptions {
  /** Text to check instead of the content of the file. */
  readonly text?: string | undefined;
  /** The script that replaces the model, so that no credentials are needed. */
  readonly rehearse?: string | undefined;
  /** How to load the code of function tools, as in a run, if the folder is trusted. Default: no code is loaded. */
  readonly loading?: LoadModuleOptions | undefined;
}

/**
 * Checks an agent file, the files that it refers to, and the other requirements of a run that can be checked in advance: settings,
 * variables, tools and rules. Starts no server, sends nothing and calls no model. Never throws for a problem in the files. Pass the agent's
 * `project` if it is open. Default: the project of the working directory.
 */
export async function checkAgentFile(
  file: string,
  context: Pick<AppContext, "cwd" | "environment" | "packageRoot" | "trust">,
  project?: Project,
  { text, rehearse, loading }: AgentCheckOptions = {},
): Promise<AgentCheck> {
  const { AgentFileError, effectiveFiles, findAgentProblems, findAgentProject, readTrusted } = await import(
    "@bridle/agent"
  );
  try {
    const given = await loadAgentFile(file, context, text);
    const own = await findAgentProject(given, { project, cwd: context.cwd });
    const definition = await readTrusted(given, own);
    const { config } = definition;
    const trust = summarizeTrust(await context.trust.check(await effectiveFiles(definition, own)));
    const problems = await findAgentProblems(definition, own, { rehearse, loading, loadsCode: loading !== undefined });
    if (problems.length > 0) return invalid(file, problems.map(describeProblem), trust);
    const { name, tools = [], test_cases: cases = [] } = config;
    const { backend } = own.settings.provider;
    const agent = { name, backend, toolEntries: tools.length, testCases: cases.length };
    return { file, ok: true, problems: [], warnings: await listWarnings(definition, own, rehearse), trust, agent };
  } catch (error) {
    if (error instanceof AgentFileError) return invalid(file, error.problems.map(describeProblem));
    if (!isBridleError(error) || error.code !== "config") throw error;
    return invalid(file, [{ file, line: null, column: null, field: null, message: error.message, nearest: null }]);
  }
}

/** Lists the warnings that runs and tests of the agent would show. */
async function listWarnings(
  definition: AgentDefinition,
  project: Project,
  rehearse: string | undefined,
): Promise<string[]> {
  const { findAgentWarnings, findToolNames } = await import("@bridle/agent");
  const ofAgent = await findAgentWarnings(definition, project, { rehearse });
  if (definition.config.test_cases === undefined && definition.config.evaluations === undefined) return ofAgent;
  const { testWarnings } = await import("@bridle/testing");
  const tools = await findToolNames(definition, project);
  return [...ofAgent, ...testWarnings(definition, project.settings, tools)];
}

const nothing: TrustSummary = { isTrusted: true, effects: [] };

function invalid(file: string, problems: AgentProblem[], trust = nothing): AgentCheck {
  return { file, ok: false, problems, warnings: [], trust, agent: null };
}

function describeProblem({ message, position, field, nearest }: FileProblem): AgentProblem {
  const { file, line, column } = position;
  return { file, line: line ?? null, column: column ?? null, field: field ?? null, message, nearest: nearest ?? null };
}

/** Formats a problem as `file:line:column: message`, which editors and terminals turn into a link. */
export function formatProblem({ file, line, column, message }: AgentProblem): string {
  return `${[file, line, column].filter((part) => part !== null).join(":")}: ${message}`;
}
