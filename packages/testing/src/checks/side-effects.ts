import { type AgentDefinition, type AgentSettings, decidesCalls, type OpenAgentOptions } from "@bridle/agent";
import { createMemoryPermissions, sha256 } from "@bridle/core";
import { createRuntime, openProject } from "@bridle/project";
import { allowHandedOver, type Policy, type PolicyCall, type PolicyDecision } from "@bridle/protocol";

const denial: PolicyDecision = {
  decision: "deny",
  rule: "side-effects",
  reason:
    "It may change what cannot be brought back, and this is a test. Do not repeat it; go on without it. (bridle test --allow-side-effects lets such calls run.)",
};

/**
 * What may change what cannot be brought back: tools that say of themselves that they are destructive, and a host's own
 * that write or do anything, such as Bash, which are known as such.
 */
function hasSideEffects({ annotations }: PolicyCall): boolean {
  return annotations.destructive === true;
}

/** The rules of a runtime, and over them: no side effects. What a runtime denies no rules of a session can allow. */
export function withoutSideEffects(policy: Policy = allowHandedOver): Policy {
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
 * With what an agent is opened for its tests. Without `allowSideEffects` its runtime denies side effects, whatever rules
 * say. With it rules decide as always; where nobody wrote any, it is the consent that a host's own tools are otherwise
 * asked for, and no person is there to give. `ask` is a denial in both, so that `permission_mode: manual` holds.
 */
export function sideEffectsOptions(options: SideEffectsOptions): Pick<OpenAgentOptions, "createRuntime" | "mode"> {
  const { allowSideEffects, createRuntime: create = createRuntime, mode } = options;
  if (!allowSideEffects) return { createRuntime: gated(create), ...(mode && { mode }) };
  const given = mode ?? (isRuled(options) ? undefined : "yolo");
  return { createRuntime: create, ...(given && { mode: given }) };
}

/** Whether anybody wrote rules for the agent's calls. */
function isRuled({ definition: { config }, settings, policyFile }: SideEffectsOptions): boolean {
  const ofAgent = config.policy !== undefined || decidesCalls(config);
  return ofAgent || settings.policy !== undefined || policyFile !== undefined;
}

/** The runtime has the rules that it would have had. */
function gated(create: typeof createRuntime): typeof createRuntime {
  return async (options = {}) => {
    const policy = options.policy ?? (await (await openProject(options)).policy(options));
    const remembered = policy === undefined ? { permissions: createMemoryPermissions() } : {}; // where no rules are, nothing was remembered
    return create({ ...remembered, ...options, policy: withoutSideEffects(policy) });
  };
}
