import { ConfigError } from "@bridle/protocol";
import { resolvePolicy } from "../runtime/policy.ts";
import type { Settings } from "../settings/settings.ts";
import { describePolicy } from "../status/describe-policy.ts";
import { policySentence } from "../status/policy-sentence.ts";
import { type Check, failed, passed } from "./check.ts";

/** Checks that the rules are valid. Only the start of a run can show whether their tools exist. */
export async function checkPolicy(settings: Settings): Promise<Check> {
  const identity = { id: "policy", title: "Policy", area: "configuration" } as const;
  try {
    await resolvePolicy(settings, {});
    return passed(identity, policySentence(describePolicy(settings)));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return failed(identity, error.message, "Correct the rules. Until then, no run can start.");
  }
}
