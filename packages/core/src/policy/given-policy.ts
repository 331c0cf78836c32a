import { ConfigError, nearest, type Policy } from "@bridle/protocol";
import { z } from "zod";

const policyKeys = [
  "id",
  "snapshot",
  "disabled",
  "evaluate",
  "checkNames",
] as const satisfies readonly (keyof Policy)[];
/** Keys that users may write by mistake if they think of the rules of `createPolicy`. */
const keysOfRules = ["rules", "disable", "mode", "annotations"];

/** A policy object may have keys beyond the `Policy` interface. A key that nearly matches one of its keys is treated as a typo. */
export const policySchemaOfProgram = z.unknown().superRefine((value, context) => {
  const problem = policyProblem(value);
  if (problem !== undefined) context.addIssue({ code: "custom", message: problem });
});

function policyProblem(value: unknown): string | undefined {
  const make = "make it with createPolicy({ … }), or implement evaluate(call)";
  if (typeof value !== "object" || value === null) return `must be a policy: ${make}`;
  if (typeof Reflect.get(value, "evaluate") !== "function") return `has no evaluate function: ${make}`;
  for (const key of Object.keys(value)) {
    if (policyKeys.some((known) => known === key)) continue;
    if (keysOfRules.includes(key)) return `has the key "${key}", which only createPolicy() knows`;
    const [near] = nearest(key, policyKeys, 1);
    if (near !== undefined) return `has the unknown key "${key}". Did you mean "${near}"?`;
  }
  const disabled: unknown = Reflect.get(value, "disabled");
  return disabled === undefined || Array.isArray(disabled) ? undefined : "has a disabled that is not a list";
}

/** Throws ConfigError if the value is not a policy. */
export function requirePolicy(caller: string, policy: unknown): void {
  const problem = policyProblem(policy);
  if (problem !== undefined) throw new ConfigError(`${caller}: the policy ${problem.replace(/[^.?]$/, "$&.")}`);
}
