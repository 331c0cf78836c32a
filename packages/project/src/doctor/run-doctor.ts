import { isBridleError } from "@bridle/protocol";
import { resolveSettings, type Settings, type SettingsOptions } from "../settings.ts";
import { checkBoundary } from "./boundary-check.ts";
import { type Check, failed, passed } from "./check.ts";
import { checkEmbeddings } from "./embeddings-check.ts";
import { checkHost, checkNode } from "./installation-checks.ts";
import { checkLimits } from "./limits-check.ts";
import { checkLogin } from "./login-check.ts";
import { checkPolicy } from "./policy-check.ts";
import {
  checkBackend,
  checkCredentials,
  checkImplicitSources,
  checkModels,
  checkPromptCaching,
} from "./project-checks.ts";

export interface DoctorOptions extends SettingsOptions {
  /** Ask the host whether it accepts the credentials, with a real request. */
  live?: boolean;
  /** Prove the boundary on this machine. */
  boundary?: boolean;
  /** Ends a check that runs the host; it then counts as skipped, and what it planted is removed. */
  signal?: AbortSignal;
}

/** Checks what a run needs, one after another. Never throws for what it finds: a fault is a check with a remedy. */
export async function runDoctor(options: DoctorOptions = {}, cwd?: string): Promise<Check[]> {
  const identity = { id: "config", title: "Configuration", area: "configuration" } as const;
  try {
    const settings = await resolveSettings(options, cwd);
    const found = settings.configFile ?? "no bridle.yaml; the defaults hold";
    const host = checkHost(settings.provider.backend);
    return [checkNode(), host, passed(identity, found), ...(await checkProject(settings, options))];
  } catch (error) {
    if (!isBridleError(error)) throw error;
    const fault = failed(identity, error.message, "Correct the file; nothing else was checked.");
    return [checkNode(), checkHost("claude-code"), fault];
  }
}

async function checkProject(settings: Settings, options: DoctorOptions): Promise<Check[]> {
  const { live = false, boundary = false, signal } = options;
  return [
    checkBackend(settings),
    checkModels(settings),
    checkCredentials(settings),
    await checkPolicy(settings),
    await checkPromptCaching(settings),
    await checkLimits(settings),
    await checkImplicitSources(settings),
    await checkLogin(settings, live, signal),
    await checkEmbeddings(settings, live, signal),
    await checkBoundary(settings, boundary, signal),
  ];
}
