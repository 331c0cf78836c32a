/** The rules that apply to the calls of an agent, each with the file that it is from. */
import { z } from "zod";
import { loadAgentFile } from "../agents/index.ts";
import type { ProjectContext } from "../context/project-context.ts";
import { orderRules } from "./rule-order.ts";
import { type Rules, ruleFileSchema, rulesSchema } from "./rule-schemas.ts";

export const agentRulesSchema = z.array(
  ruleFileSchema.shape.order.element.extend({ source: z.string().describe("The file, relative to the project.") }),
);
export type AgentRules = z.output<typeof agentRulesSchema>;

/**
 * In the order in which they decide: a denial of the project's rules stays one, and otherwise those of the agent's file decide if it
 * has any. Without a file, those of the project decide. Empty if neither has rules: every call is allowed. Throws ConfigError if the agent's file is wrong.
 */
export async function describeAgentRules(file: string | undefined, context: ProjectContext): Promise<AgentRules> {
  const own = file === undefined ? undefined : await readOwnRules(file, context);
  const { policy } = context.project.settings;
  const denials = (rules: Rules) => orderRules(rules).filter(({ decision }) => decision === "deny");
  const ofProject = (policy && (own ? denials(policy) : orderRules(policy))) ?? [];
  return [...ofProject.map((rule) => ({ ...rule, source: "bridle.yaml" })), ...(own ?? [])];
}

async function readOwnRules(file: string, context: ProjectContext): Promise<AgentRules | undefined> {
  const { policy } = (await loadAgentFile(file, context)).config;
  return policy && orderRules(rulesSchema.parse(policy)).map((rule) => ({ ...rule, source: file }));
}
