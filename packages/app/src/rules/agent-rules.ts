/** The rules that apply to the calls of an agent, each with the file that contains it. */
import { z } from "zod";
import { loadAgentFile } from "../agents/index.ts";
import type { ProjectContext } from "../context/project-context.ts";
import { orderRules } from "./rule-order.ts";
import { ruleFileSchema } from "./rule-schemas.ts";

export const agentRulesSchema = z.array(
  ruleFileSchema.shape.order.element.extend({ source: z.string().describe("The file, relative to the project.") }),
);
export type AgentRules = z.output<typeof agentRulesSchema>;

/**
 * Describes the rules in order of precedence. A denial by the project's rules is final. All other calls are decided by the rules in
 * the agent file if it has any, or else by the project's rules. Empty if neither has rules: every call is allowed.
 *
 * @throws ConfigError if the agent file is invalid.
 */
export async function describeAgentRules(file: string | undefined, context: ProjectContext): Promise<AgentRules> {
  const agent = file === undefined ? undefined : (await loadAgentFile(file, context)).config;
  const own = agent?.policy && orderRules(agent.policy).map((rule) => ({ ...rule, source: `${file}` }));
  const { policy } = context.project.settings;
  const ordered = (policy && orderRules(policy, ({ agents }) => agents?.includes(agent?.name ?? "") ?? true)) ?? [];
  const ofProject = own ? ordered.filter(({ decision }) => decision === "deny") : ordered;
  return [...ofProject.map((rule) => ({ ...rule, source: "bridle.yaml" })), ...(own ?? [])];
}
