import { type AgentDefinition, type AgentSettings, decidesCalls, type OpenAgentOptions } from "@bridle/agent";
import { createMemoryPermissions, sha256 } from "@bridle/core";
import { createRuntime, openProject } from "@bridle/project";
import { allowAllTools, type Policy, type PolicyCall, type PolicyDecision } from "@bridle/protocol";

const denial: PolicyDecision = {
  decision: "deny",
  rule: "side-effects",
  reason:
    "The call is destructive, and this is a test. Do not repeat it; continue without it. (bridle test --allow-side-effects lets such calls run.)",
};

/**
 * Whether a call is destructive: tools declare it with an annotation, and the host's own tools that write or do anything, such as
 * Bash, have this annotation.
 */
function hasSideEffects({ annotations }: PolicyCall): boolean {
  return annotations.destructive === true;
}

/** The rules of a runtime, with a rule above them that denies side effects. Rules of a session cannot allow them. */
export function withoutSideEffects(policy: Policy = allowAllTools): Policy {
  const rules = policy.snapshot ?? JSON.stringify(policy.id);
  const snapshot = JSON.stringify({ sideEffects: "deny", rules });
  return {
    id: sha256(snapshot),
    snapshot,
    ...(policy.disabled && { disabled: policy.disabled }),
    evaluate: (call, remembered) => (hasSideEffects(call) ? denial : policy.evaluate(call, remembered)),
    checkNames: (known) => policy.checkNames?.(known),
  };
}

type Gated = Pick<OpenAgentOptions, "createRuntime" | "mode" | "policyFile">;

export interface SideEffectsOptions extends Gated {
  readonly definition: AgentDefinition;
  readonly settings: Pick<AgentSettings, "policy">;
  readonly allowSideEffects: boolean;
}

/**
 * The options that open an agent for its tests. Without `allowSideEffects` its runtime denies side effects, whatever the rules
 * say. With it the rules decide; if there are none, it is the consent that the host's own tools otherwise ask for. A rule `ask`
 * is a denial in both cases, so that `permission_mode: manual` holds.
 */
export function sideEffectsOptions(options: SideEffectsOptions): Pick<OpenAgentOptions, "createRuntime" | "mode"> {
  const { allowSideEffects, createRuntime: create = createRuntime, mode } = options;
  if (!allowSideEffects) return { createRuntime: gated(create), ...(mode && { mode }) };
  const given = mode ?? (isRuled(options) ? undefined : "yolo");
  return { createRuntime: create, ...(given && { mode: given }) };
}

/** Whether there are rules for the agent's calls. */
function isRuled({ definition: { config }, settings, policyFile }: SideEffectsOptions): boolean {
  const ofAgent = config.policy !== undefined || decidesCalls(config);
  return ofAgent || settings.policy !== undefined || policyFile !== undefined;
}

/** Adds the rule against side effects to the rules of the runtime. */
function gated(create: typeof createRuntime): typeof createRuntime {
  return async (options = {}) => {
    const policy = options.policy ?? (await (await openProject(options)).policy(options));
    const remembered = policy === undefined ? { permissions: createMemoryPermissions() } : {}; // without rules there are no remembered answers
    return create({ ...remembered, ...options, policy: withoutSideEffects(policy) });
  };
}
