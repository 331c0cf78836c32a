import type { Project } from "@bridle/project";
import type { OpenedAgentBlock } from "@bridle/protocol";
import type { AgentDefinition } from "../definition/agent-definition.ts";
import { agentPolicy } from "../definition/agent-policy.ts";
import { assumedKeyWarnings } from "../definition/assumed-keys.ts";
import { skippedQuestions } from "../trust/list-agent-effects.ts";

interface Overrides {
  /** The caller's mode. The caller knows which calls it allows without a question, so the files' modes cause no warning. */
  readonly mode?: string | undefined;
  /** The file with rules that replaces the project's rules. */
  readonly policyFile?: string | undefined;
  /** The script that plays the model, if there is one. */
  readonly rehearse?: unknown;
}

/** Warnings about settings that bypass the rules, have no effect, or determine who pays without being named in the file. */
export function listWarnings(
  definition: AgentDefinition,
  project: Project,
  hostBlock: OpenedAgentBlock | undefined,
  options: Overrides,
): readonly string[] {
  return [
    ...questionWarnings(definition, project, hostBlock, options),
    ...(options.rehearse === undefined ? assumedKeyWarnings(definition, project) : []), // a script needs no key
    ...(hostBlock?.warnings ?? []),
  ];
}

/** Warnings about modes in the agent file and the project's file in which tools run without a question. */
function questionWarnings(
  definition: AgentDefinition,
  project: Project,
  hostBlock: OpenedAgentBlock | undefined,
  { mode, policyFile }: Overrides,
): readonly string[] {
  if (mode !== undefined) return [];
  const isRuled = policyFile !== undefined || project.settings.policy !== undefined;
  const hasOwnRules = agentPolicy(definition, { hostBlock, isRuled }) !== undefined;
  const decides = !hasOwnRules && policyFile === undefined; // the agent's rules take precedence
  return [...skippedQuestions(definition), ...(decides ? project.skippedQuestions : [])];
}
