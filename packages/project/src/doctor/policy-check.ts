import { ConfigError } from "@bridle/protocol";
import { resolvePolicy } from "../runtime/policy.ts";
import type { Settings } from "../settings/settings.ts";
import { describePolicy } from "../status/describe-policy.ts";
import { policySentence } from "../status/policy-sentence.ts";
import { type Check, failed, passed } from "./check.ts";

/** Whether the rules can be kept; whether their tools are there is known only when a run begins. */
export async function checkPolicy(settings: Settings): Promise<Check> {
  const identity = { id: "policy", title: "Policy", area: "configuration" } as const;
  try {
    await resolvePolicy(settings, {});
    return passed(identity, policySentence(describePolicy(settings)));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return failed(identity, error.message, "Correct the rules; no run begins before.");
  }
}
