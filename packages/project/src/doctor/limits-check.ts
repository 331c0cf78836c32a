import { isBridleError } from "@bridle/protocol";
import { limitDefaults } from "../config/schema.ts";
import { usedUpWindow } from "../limits/limits.ts";
import { hostOf } from "../registries/host-registry.ts";
import type { Settings } from "../settings/settings.ts";
import { type Check, passed, skipped, warned } from "./check.ts";

/** Reports a used-up usage window that a run has stored, and how runs handle it. Sends no request to a host. */
export async function checkLimits(settings: Settings, isTrusted: boolean): Promise<Check> {
  const identity = { id: "limits", title: "Usage limits", area: "backend" } as const;
  if (hostOf(settings.provider.backend).hasModels === false) return skipped(identity, "The project has no backend.");
  const { maxConcurrency } = { ...limitDefaults, ...settings.limits };
  if (!isTrusted) return skipped(identity, "The project is not trusted, so its event log is not read.");
  const found = await usedUpWindow(settings).catch((error: unknown) => {
    if (isBridleError(error)) return error;
    throw error;
  });
  if (isBridleError(found)) return skipped(identity, "The event log cannot be read."); // another check reports it
  if (found === undefined)
    return passed(identity, `no usage window is known to be used up; ${maxConcurrency} runs at a time`);
  return warned(
    identity,
    `the window ${found.window} is used up until ${new Date(found.resetsAt).toISOString()}`,
    settings.limits.onUsageLimit === "wait"
      ? "Runs wait until then."
      : "Wait until then, set llm.limits.onUsageLimit: wait, or choose another account.",
  );
}
