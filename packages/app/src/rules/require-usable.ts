import { withRulesInText } from "@bridle/project";
import { ConfigError } from "@bridle/protocol";
import { type AgentProblem, checkAgentFile } from "../agents/index.ts";
import type { ProjectContext } from "../context/project-context.ts";

/** An agent of the project. */
interface RuledAgent {
  readonly name: string;
  /** Relative to the project; missing for the project's model. */
  readonly file?: string | undefined;
}

/**
 * Throws ConfigError if an agent could no longer run with the rules in this text of `bridle.yaml`, because they name a tool that it
 * does not have.
 */
export async function requireUsableRules(
  text: string,
  agents: readonly RuledAgent[],
  context: ProjectContext,
  rehearse?: string,
): Promise<void> {
  const { project } = context;
  const changed = await withRulesInText(text, project);
  const inProject = { ...context, cwd: project.projectDir };
  for (const { name, file } of agents) {
    if (file === undefined) continue;
    const [before, after] = await Promise.all(
      [project, changed].map((each) => checkAgentFile(file, inProject, each, { rehearse })),
    );
    const known = new Set(before?.problems.map(toKey));
    const found = after?.problems.find((problem) => isOfRules(problem) && !known.has(toKey(problem)));
    if (found) throw new ConfigError(`With these rules, ${name} could not run: ${found.message}`, fieldOf(found));
  }
}

function isOfRules({ field }: AgentProblem): boolean {
  return field?.startsWith("policy.") ?? false;
}

/** Without its line, which the change may move. */
function toKey({ file, field, message }: AgentProblem): string {
  return JSON.stringify([file, field, message]);
}

function fieldOf({ field }: AgentProblem) {
  return field === null ? {} : { field };
}
