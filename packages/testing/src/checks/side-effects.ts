import { type AgentDefinition, type AgentSettings, decidesCalls, type OpenAgentOptions } from "@bridle/agent";
import { createMemoryPermissions, sha256 } from "@bridle/core";
import { createRuntime, openProject } from "@bridle/project";
import { allowAllTools, override, type Policy, type PolicyCall, type PolicyDecision } from "@bridle/protocol";

const denial: PolicyDecision = {
  decision: "deny",
  rule: "side-effects",
  reason:
    "The call is destructive, and this is a test. Do not repeat it; continue without it. (bridle test --allow-side-effects lets such calls run, unless a rule denies them or asks about the tool by name.)",
};

/**
 * Whether a call is destructive. Tools declare this with an annotation. The host's own tools that can write or do anything, such as Bash,
 * have it too.
 */
function hasSideEffects({ annotations }: PolicyCall): boolean {
  return annotations.destructive === true;
}

/** Whether the rules ask because of a tool's annotations, or because no rule names the tool. */
function isAboutEffects({ decision, rule }: PolicyDecision): boolean {
  return decision === "ask" && (rule === "default" || rule.startsWith("annotation:"));
}

/** Returns the same rules without questions about side effects. Denials are kept, and so are questions of rules that name a tool. */
export function withSideEffects(policy: Policy): Policy {
  return {
    ...changed(policy, "allow"),
    async evaluate(call, remembered) {
      const decision = await policy.evaluate(call, remembered);
      return isAboutEffects(decision) ? { decision: "allow", rule: "side-effects" } : decision;
    },
  };
}

/** Puts a rule that denies side effects before a runtime's rules. Rules of a session cannot allow them. */
export function withoutSideEffects(policy: Policy = allowAllTools): Policy {
  return {
    ...changed(policy, "deny"),
    evaluate: (call, remembered) => (hasSideEffects(call) ? denial : policy.evaluate(call, remembered)),
  };
}

/** Returns the parts of a policy that stay the same if its decisions about side effects change. */
function changed(policy: Policy, sideEffects: "allow" | "deny"): Omit<Policy, "evaluate"> {
  const rules = policy.snapshot ?? JSON.stringify(policy.id);
  const snapshot = JSON.stringify({ sideEffects, rules });
  return {
    id: sha256(snapshot),
    snapshot,
    ...(policy.disabled && { disabled: policy.disabled }),
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
 * Returns the options that open an agent for its tests. Without `allowSideEffects`, the agent's runtime denies side effects, whatever the
 * rules decide. With it, the rules decide, but questions about side effects are answered with yes; if there are no rules, every call may
 * run. Nobody answers questions in a test, so a rule that asks about a tool by name, and the mode `ask`, deny in both cases.
 */
export function sideEffectsOptions(options: SideEffectsOptions): Pick<OpenAgentOptions, "createRuntime" | "mode"> {
  const { allowSideEffects, createRuntime: create = createRuntime, mode } = options;
  if (!allowSideEffects) return { createRuntime: gated(create), ...(mode && { mode }) };
  const given = mode ?? (isRuled(options) ? undefined : "yolo");
  return { createRuntime: consenting(create), ...(given && { mode: given }) };
}

/** Whether there are rules for the agent's calls. */
function isRuled({ definition: { config }, settings, policyFile }: SideEffectsOptions): boolean {
  const ofAgent = config.policy !== undefined || decidesCalls(config);
  return ofAgent || settings.policy !== undefined || policyFile !== undefined;
}

/** Adds the rule against side effects to the runtime's rules. */
function gated(create: typeof createRuntime): typeof createRuntime {
  return async (options = {}) => {
    const policy = options.policy ?? (await (await openProject(options)).policy(options));
    const remembered = policy === undefined ? { permissions: createMemoryPermissions() } : {}; // no rules, no remembered answers
    return create({ ...remembered, ...options, policy: withoutSideEffects(policy) });
  };
}

/** Answers questions about side effects with yes, for the runtime's rules and those of every run and session. */
function consenting(create: typeof createRuntime): typeof createRuntime {
  return async (options = {}) => {
    const policy = options.policy ?? (await (await openProject(options)).policy(options));
    const runtime = await create(policy === undefined ? options : { ...options, policy: withSideEffects(policy) });
    return override(runtime, {
      runAgentLoop: (request) => runtime.runAgentLoop(withConsent(request)),
      openSession: (request) => runtime.openSession(withConsent(request ?? {})),
    });
  };
}

function withConsent<T extends { readonly policy?: Policy | undefined }>(request: T): T {
  return request.policy === undefined ? request : { ...request, policy: withSideEffects(request.policy) };
}
