import { type Project, withRulesInText } from "@bridle/project";
import { ConfigError } from "@bridle/protocol";
import { type AgentProblem, checkAgentFile } from "../agents/index.ts";
import type { ProjectContext } from "../context/project-context.ts";

/** An agent of the project. */
interface RuledAgent {
  readonly name: string;
  /** The path relative to the project; missing for the project's model. */
  readonly file?: string | undefined;
}

/**
 * Throws ConfigError if the rules in this text of `bridle.yaml` would stop every agent that can run now, because the rules name a tool that
 * the agents do not have. Agents that only other agents call may lack the tool.
 */
export async function requireUsableRules(
  text: string,
  agents: readonly RuledAgent[],
  context: ProjectContext,
  rehearse?: string,
): Promise<void> {
  const { project } = context;
  const inProject = { ...context, cwd: project.projectDir };
  const problemIn = async (ruled: Project, { file }: RuledAgent) =>
    file === undefined
      ? undefined
      : (await checkAgentFile(file, inProject, ruled, { rehearse })).problems.find(isOfRules);
  const changed = await withRulesInText(text, project);
  const found = await Promise.all(agents.map(async (agent) => ({ agent, problem: await problemIn(changed, agent) })));
  if (found.some(({ problem }) => problem === undefined)) return;
  for (const { agent, problem } of found) {
    if (problem === undefined || (await problemIn(project, agent)) !== undefined) continue;
    throw new ConfigError(`With these rules, ${agent.name} could not run: ${problem.message}`, fieldOf(problem));
  }
}

function isOfRules({ field }: AgentProblem): boolean {
  return field?.startsWith("policy.") ?? false;
}

function fieldOf({ field }: AgentProblem) {
  return field === null ? {} : { field };
}
