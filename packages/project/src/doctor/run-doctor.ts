import type { BridleError, TrustedState } from "@bridle/protocol";
import { settingsRedactor } from "../event-log/event-log.ts";
import { defaultHost, hostOf } from "../registries/host-registry.ts";
import type { Settings } from "../settings/settings.ts";
import { type Check, failed, passed } from "./check.ts";
import { checkConnections } from "./connections-check.ts";
import { checkEmbeddings } from "./embeddings-check.ts";
import { checkEventLog } from "./event-log-check.ts";
import { checkBoundary, checkImplicitSources, checkInstallation } from "./host-checks.ts";
import { checkNode } from "./installation-checks.ts";
import { checkLimits } from "./limits-check.ts";
import { checkLogin } from "./login-check.ts";
import { checkPolicy } from "./policy-check.ts";
import { checkBackend, checkCredentials, checkModels, checkPromptCaching } from "./project-checks.ts";
import { checkTrust } from "./trust-check.ts";

export interface CheckOptions {
  /** Whether to send the host a real request, to find out if it accepts the credentials. Default: false. */
  live?: boolean | undefined;
  /** Whether to prove on this machine that only the run's input reaches the model. Default: false. */
  boundary?: boolean | undefined;
  /** Whether to open the project's warehouses. Default: true. */
  connections?: boolean | undefined;
  /** Ends a check that runs the host. The check counts as skipped, and the files that it created are removed. */
  signal?: AbortSignal | undefined;
}

const identity = { id: "config", title: "Configuration", area: "configuration" } as const;

/** Checks everything that a run needs, in order. A problem is a failed check with a remedy, never an error. */
export async function runChecks(
  settings: Settings,
  trust: readonly TrustedState[],
  options: CheckOptions = {},
): Promise<Check[]> {
  const isTrusted = trust.every((state) => state.isTrusted);
  const allowed = isTrusted ? options : { ...options, live: false, boundary: false, connections: false };
  const found = settings.configFile ?? (settings.positions[""] ? ofProgram : "no bridle.yaml; the defaults apply");
  const host = await checkInstallation(hostOf(settings.provider.backend));
  const effects = checkTrust(trust, settingsRedactor(settings));
  return [checkNode(), host, passed(identity, found), effects, ...(await checkProject(settings, allowed, isTrusted))];
}

const ofProgram = "the configuration of the program";

/** Returns the checks of a project that cannot be opened because of `error`. */
export async function checksWithoutProject({ message }: BridleError): Promise<Check[]> {
  const fault = failed(identity, message, "Correct the file. Nothing else was checked.");
  return [checkNode(), await checkInstallation(defaultHost()), fault];
}

async function checkProject(settings: Settings, options: CheckOptions, isTrusted: boolean): Promise<Check[]> {
  const { live = false, boundary = false, connections = true, signal } = options;
  return [
    checkBackend(settings),
    checkModels(settings),
    checkCredentials(settings),
    await checkPolicy(settings),
    await checkPromptCaching(settings),
    await checkLimits(settings, isTrusted),
    await checkEventLog(settings, isTrusted),
    ...(await checkConnections(settings, connections, signal)),
    await checkImplicitSources(settings),
    await checkLogin(settings, live, signal),
    await checkEmbeddings(settings, live, signal),
    await checkBoundary(settings, boundary, signal),
  ];
}
