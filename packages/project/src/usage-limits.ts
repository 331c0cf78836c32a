import { z } from "zod";
import { limitDefaults } from "./config/schema.ts";
import { usedUpWindow } from "./limits/limits.ts";
import type { Project } from "./project.ts";
import { hostOf } from "./registries/host-registry.ts";

/** How runs handle the account's limits, and the usage window that is currently used up. */
export const usageLimitsSchema = z.strictObject({
  /** The maximum number of the account's concurrent runs in one process. */
  maxConcurrency: z.int().positive(),
  onUsageLimit: z.enum(["wait", "fail"]),
  /** The used-up window of the account on the project's backend. `null` if none is known to be used up. */
  usedUp: z.strictObject({ backend: z.string(), window: z.string(), resetsAt: z.iso.datetime() }).nullable(),
});
export type UsageLimits = z.output<typeof usageLimitsSchema>;

/** Reads the limits that runs have stored. Sends no request to a host. Throws StoreError and ConfigError. */
export async function readUsageLimits(project: Pick<Project, "settings" | "requireTrust">): Promise<UsageLimits> {
  const { settings } = project;
  const { maxConcurrency, onUsageLimit } = { ...limitDefaults, ...settings.limits };
  const { backend } = settings.provider;
  const hasWindows = hostOf(backend).hasModels !== false;
  if (hasWindows) await project.requireTrust();
  const found = hasWindows ? await usedUpWindow(settings) : undefined;
  const usedUp = found ? { backend, window: found.window, resetsAt: new Date(found.resetsAt).toISOString() } : null;
  return { maxConcurrency, onUsageLimit, usedUp };
}
