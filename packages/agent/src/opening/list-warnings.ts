import type { Project } from "@bridle/project";
import type { OpenedAgentBlock } from "@bridle/protocol";
import type { AgentDefinition } from "../definition/agent-definition.ts";
import { agentPolicy } from "../definition/agent-policy.ts";
import { assumedKeyWarnings } from "../definition/assumed-keys.ts";
import { skippedQuestions } from "../trust/list-agent-effects.ts";

interface Overrides {
  /** The mode of the caller, who then knows which questions are asked. */
  readonly mode?: string | undefined;
  /** The script that plays the model in a rehearsal. */
  readonly policyFile?: string | undefined;
  /** The script that plays the model, if there is one. */
  readonly rehearse?: unknown;
}

/** Sentences about settings that bypass the rules, have no effect, or decide who pays without being in the file. */
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

/** Sentences about the modes of the agent's and the project's file under which tools run without a question. */
function questionWarnings(
  definition: AgentDefinition,
  project: Project,
  hostBlock: OpenedAgentBlock | undefined,
  { mode, policyFile }: Overrides,
): readonly string[] {
  if (mode !== undefined) return [];
  const isRuled = policyFile !== undefined || project.settings.policy !== undefined;
  const hasOwnRules = agentPolicy(definition, { hostBlock, isRuled }) !== undefined;
  const decides = !hasOwnRules && policyFile === undefined; // rules of the agent take precedence
  return [...skippedQuestions(definition), ...(decides ? project.skippedQuestions : [])];
}
