/** The rules that apply to the calls of an agent, each with the file that it is from. */
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
 * In the order in which they decide: a denial of the project's rules stays one, and otherwise those of the agent's file decide if it
 * has any. Without a file, those of the project decide. Empty if neither has rules: every call is allowed. Throws ConfigError if the agent's file is wrong.
 */
export async function describeAgentRules(file: string | undefined, context: ProjectContext): Promise<AgentRules> {
  const agent = file === undefined ? undefined : (await loadAgentFile(file, context)).config;
  const own = agent?.policy && orderRules(agent.policy).map((rule) => ({ ...rule, source: `${file}` }));
  const { policy } = context.project.settings;
  const ordered = (policy && orderRules(policy, ({ agents }) => agents?.includes(agent?.name ?? "") ?? true)) ?? [];
  const ofProject = own ? ordered.filter(({ decision }) => decision === "deny") : ordered;
  return [...ofProject.map((rule) => ({ ...rule, source: "bridle.yaml" })), ...(own ?? [])];
}
