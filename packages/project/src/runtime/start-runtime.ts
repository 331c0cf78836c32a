import { createAgentRuntime, createMemoryEventLog, type RuntimeOptions } from "@bridle/core";
import {
  type AgentRuntime,
  type Approver,
  type Backend,
  ConfigError,
  type EventLog,
  type Logger,
  override,
  type PermissionStore,
  type Policy,
  type RunEvent,
  silentLogger,
} from "@bridle/protocol";
import { limitDefaults } from "../config/schema.ts";
import { shownModels, withSettings } from "../hosts/configured-backend.ts";
import { createBackend } from "../hosts/connect.ts";
import { bridleFolder } from "../namespace/folders.ts";
import { inNamespace } from "../namespace/in-namespace.ts";
import { prepareNamespace } from "../namespace/prepare-namespace.ts";
import { permissionFiles } from "../permissions/permission-files.ts";
import { createPermissionStore } from "../permissions/permission-store.ts";
import { positionOfModels, type Settings } from "../settings/settings.ts";
import { createCleanLogger, joinLoggers } from "./clean-logger.ts";
import { openForRuns, settingsRedactor } from "./event-log.ts";
import { createFileLog } from "./file-log.ts";
import { type PolicyOptions, resolvePolicy } from "./policy.ts";
import { limitsFolder } from "./system-folders.ts";

/** The options of a runtime that are not settings of its project. */
export interface RuntimeChoices extends PolicyOptions {
  /** A rehearsal script: the model follows it, and all else is real. Needs no login. */
  rehearse?: string | undefined;
  /** Instead of the project's rules. Without either, what is handed over may run. */
  policy?: Policy | undefined;
  /**
   * Answers where the rules ask: a person, or a program for one. Without it nobody can be asked, and `ask` denies.
   * If `eventLog` is `project`, another process may answer first, with `bridle approvals answer`. `approve: "event-log"`
   * waits for such answers alone, and needs an `eventLog`.
   *
   * @example
   * const runtime = await createRuntime({ mode: "normal", approve: ({ tool }) => ({ decision: tool === "send" ? "deny" : "allow" }) });
   */
  approve?: Approver | "event-log" | undefined;
  /** After this many milliseconds a question without an answer is a denial. Default: 3,600,000, an hour. */
  approvalTimeoutMs?: number | undefined;
  /** Where answers are kept that outlive a session. Default: `.bridle/permissions.yaml` of the project, and the user's own. */
  permissions?: PermissionStore | undefined;
  logger?: Logger | undefined;
  /**
   * Where events are written: an event log of yours, or `project` for the one on disk in the project's folder `.bridle`.
   * Default: an event log in memory. Values from the environment are redacted in all logs but yours.
   *
   * @example
   * const eventLog = createMemoryEventLog();
   * const runtime = await createRuntime({ eventLog });
   * // after a run: eventLog.events({ runId }), eventLog.artifact(id)
   */
  eventLog?: EventLog | "project" | undefined;
  /** Called with every event of every run. Contract: does not throw and does not wait. */
  onEvent?: ((event: RunEvent) => void) | undefined;
}

/** Makes a runtime from a project's settings. Throws ConfigError. Call `close()` when done. */
export async function startRuntime(settings: Settings, options: RuntimeChoices): Promise<AgentRuntime> {
  const { eventLog, onEvent, rehearse } = options;
  const limits = limitsFolder(settings);
  const modelsPosition = positionOfModels(settings);
  await prepareNamespace(settings);
  const rules = await rulesOf(settings, options);
  if (options.approve === "event-log" && eventLog === undefined) throw nobodyCanAnswer();
  const backend = await chooseBackend(settings, options);
  const kept = await openEventLog(settings, eventLog);
  try {
    const runtime = createAgentRuntime({
      backend,
      models: shownModels(settings),
      ...(modelsPosition && { modelsPosition }),
      promptCaching: settings.promptCaching,
      limits: { ...limitDefaults, ...settings.limits },
      ...(rehearse === undefined && limits !== undefined && { limitsFolder: limits }), // a script's limits are nobody's
      projectDir: settings.projectDir,
      ...rules,
      logger: loggerOf(settings, options),
      eventLog: kept.eventLog,
      ...(onEvent && { onEvent: (event) => onEvent(event) }),
    });
    return override(runtime, { close: () => runtime.close().finally(kept.close) });
  } catch (error) {
    kept.close();
    throw error;
  }
}

/** The event log, and a function that closes it if it is ours. */
async function openEventLog(settings: Settings, eventLog: RuntimeChoices["eventLog"]) {
  if (eventLog === "project") {
    const store = await openForRuns(settings);
    return { eventLog: store, close: () => store.close() };
  }
  return { eventLog: eventLog ?? createMemoryEventLog({ redactor: settingsRedactor(settings) }), close() {} };
}

/** The caller's logger, and a file beside an event log on disk. Neither gets a credential. */
function loggerOf(settings: Settings, { logger = silentLogger, eventLog }: RuntimeChoices): Logger {
  const onFailure = (error: unknown) => logger.warn({ error }, "the log cannot be written; runs go on without it");
  const file = eventLog === "project" ? [createFileLog({ folder: bridleFolder(settings), onFailure })] : [];
  return createCleanLogger(joinLoggers([logger, ...file]), settingsRedactor(settings));
}

function nobodyCanAnswer(): ConfigError {
  const message =
    'approve is "event-log", but no other process can answer through an event log in memory. Set eventLog to "project", or to your own.';
  return new ConfigError(message, { field: "approve" });
}

type Rules = Pick<RuntimeOptions, "policy" | "approve" | "approvalTimeoutMs" | "permissions">;

/** Remembered answers are read if there are rules that they could answer. */
async function rulesOf(settings: Settings, options: RuntimeChoices): Promise<Rules> {
  const { approve, approvalTimeoutMs, permissions } = options;
  const policy = options.policy ?? (await resolvePolicy(settings, options));
  if (policy === undefined && approve === undefined) return {};
  return {
    ...(policy && { policy }), // without one, a run's own rules may ask
    permissions: permissions ?? createPermissionStore(permissionFiles(settings)),
    ...(approve && { approve }),
    ...(approvalTimeoutMs !== undefined && { approvalTimeoutMs }),
  };
}

async function chooseBackend(settings: Settings, { rehearse }: RuntimeChoices): Promise<Backend> {
  if (rehearse === undefined) return createBackend(settings);
  const { startRehearsedBackend } = await import("../rehearsal/rehearsed-backend.ts");
  return inNamespace(withSettings(await startRehearsedBackend(rehearse, settings), settings), settings);
}
