import {
  allowAllTools,
  type FieldsOf,
  type PermissionStore,
  type Policy,
  type PolicyDecision,
  type RememberedAnswer,
  type ToolIdentity,
} from "@bridle/protocol";
import { sha256 } from "../system/hash.ts";
import { type IdentifiedCall, isSameTool } from "./applicable-answers.ts";
import { isPartOfPolicy, policySnapshot } from "./compose-policies.ts";
import { evaluatePolicy, parseDecision } from "./evaluate-policy.ts";
import { strictestDecision } from "./policy-rules.ts";

/** The rules of a run, and the remembered answers that apply to them. */
interface CallerRules {
  readonly policy: Policy;
  readonly permissions: Pick<PermissionStore, "read">;
  /** The names that the caller's rules may contain. */
  readonly knownTools: readonly string[];
  /** Returns the caller's own tool with this name. */
  findOwnTool(name: string): ToolIdentity | undefined;
}

/** The rules of one run in a chain of callers, without its callers' rules. */
type Level = Omit<CallerRules, "knownTools">;

/**
 * Restricts the rules of a nested run by those of its callers: the strictest decision counts. A tool that one of these runs disables is
 * hidden from the model. Each run may have rules about tools of the others, and only a caller's own remembered answers apply to its rules.
 */
export function restrictPolicy(own: Policy, caller: CallerRules): Policy {
  return caller.policy === allowAllTools ? own : new RestrictedPolicy(own, caller);
}

class RestrictedPolicy implements Policy {
  readonly id: string;
  readonly snapshot: string;
  readonly disabled: readonly string[];
  readonly #own: Policy;
  readonly #caller: CallerRules;
  /** Outermost first. */
  readonly #above: readonly Level[];

  constructor(own: Policy, caller: CallerRules) {
    const { policy } = caller;
    this.#own = own;
    this.#caller = caller;
    this.#above =
      policy instanceof RestrictedPolicy ? [...policy.#above, { ...caller, policy: policy.#own }] : [caller];
    this.snapshot = `{"own":${policySnapshot(own)},"caller":${policySnapshot(policy)}}`;
    this.id = sha256(this.snapshot);
    this.disabled = [...(own.disabled ?? []), ...(policy.disabled ?? [])];
  }

  async evaluate(call: IdentifiedCall, remembered: readonly RememberedAnswer[]): Promise<PolicyDecision> {
    const above: PolicyDecision[] = [];
    for (const level of this.#above) {
      const decision = await evaluateAtCaller(level, call, this.#own);
      if (decision.decision === "deny") return decision;
      above.push(decision);
    }
    const decided = parseDecision(await this.#own.evaluate(call, this.#own === allowAllTools ? [] : remembered));
    return strictestDecision([decided, ...above]);
  }

  checkNames(known: readonly string[], fieldsOf?: FieldsOf): ReturnType<NonNullable<Policy["checkNames"]>> {
    return this.#own.checkNames?.([...known, ...this.#caller.knownTools], fieldsOf);
  }
}

/** A name that no tool and no rule has, because tool names have no spaces. */
const unnamed = "(a tool of a nested agent)";

/**
 * Returns a caller's decision about a call by a nested run. If the caller has another tool with that name, its rules about the name were
 * written for its own tool. Such rules still deny and ask, but their permissions do not suffice: the call must also be allowed for a tool
 * without a name, by the mode, by the annotations, or by the user's answer about this exact tool.
 */
async function evaluateAtCaller(
  { policy, ...caller }: Level,
  call: IdentifiedCall,
  own: Policy,
): Promise<PolicyDecision> {
  const named = await evaluatePolicy(policy, call, caller.permissions);
  if (named.decision !== "allow" || policy === allowAllTools) return named;
  const tool = caller.findOwnTool(call.tool);
  if (tool === undefined || isSameTool(tool, call.identity) || isPartOfPolicy(policy, own)) return named;
  const withoutName: Policy = {
    id: policy.id,
    evaluate: (each, remembered) =>
      policy.evaluate(
        { ...each, tool: unnamed },
        remembered.map((answer) => ({ ...answer, tool: unnamed })),
      ),
  };
  return evaluatePolicy(withoutName, call, caller.permissions);
}
