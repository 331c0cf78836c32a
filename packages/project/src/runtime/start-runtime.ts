import { createAgentRuntime, createMemoryEventLog, isCredentialName, type RuntimeOptions } from "@bridle/core";
import {
  type AgentRuntime,
  type Approver,
  type Backend,
  ConfigError,
  type EventDetail,
  type EventLog,
  type Logger,
  omitUndefined,
  override,
  type PermissionStore,
  type Policy,
  type RunEvent,
  silentLogger,
  type TrustedFolder,
} from "@bridle/protocol";
import type { RehearsedModel, ScriptInput } from "@bridle/rehearsal";
import { limitDefaults } from "../config/schema.ts";
import { openForRuns, settingsRedactor } from "../event-log/event-log.ts";
import { createFileLog } from "../event-log/file-log.ts";
import { shownModels, withSettings } from "../hosts/configured-backend.ts";
import { createBackend } from "../hosts/connect.ts";
import { bridleFolder } from "../namespace/folders.ts";
import { inNamespace } from "../namespace/in-namespace.ts";
import { prepareNamespace } from "../namespace/prepare-namespace.ts";
import { explainUnusedFile, permissionFiles, unusedPermissionFiles } from "../permissions/permission-files.ts";
import { createPermissionStore } from "../permissions/permission-store.ts";
import { positionOfModels, type Settings } from "../settings/settings.ts";
import { createCleanLogger, joinLoggers } from "./clean-logger.ts";
import { type PolicyOptions, resolvePolicy } from "./policy.ts";

/** The options of a runtime that are not settings of its project. */
export interface RuntimeChoices extends PolicyOptions {
  /**
   * The replacement of the model: a rehearsal script, as a file or its content, or a function that returns each answer as a step of a
   * script. Everything else is real. Needs no login.
   *
   * @example
   * const runtime = await createRuntime({ rehearse: ({ user }) => ({ say: `You said: ${user}` }) });
   */
  rehearse?: string | ScriptInput | RehearsedModel | undefined;
  /** Replaces the project's rules. Without any rules, every tool that you pass to a run may be called. */
  policy?: Policy | undefined;
  /**
   * Answers if the rules decide `ask`: a function that asks the user, or decides itself. Without it, the call is denied. If `eventLog` is
   * `project`, another process can answer first with `bridle approvals answer`. `approve: "event-log"` waits only for such answers, and
   * needs an `eventLog`.
   *
   * @example
   * const runtime = await createRuntime({ mode: "normal", approve: ({ tool }) => ({ decision: tool === "send" ? "deny" : "allow" }) });
   */
  approve?: Approver | "event-log" | undefined;
  /** Milliseconds until a question without an answer is denied. Default: 3,600,000 (one hour). */
  approvalTimeoutMs?: number | undefined;
  /** Stores answers that outlive a session. Default: files in the user's own folder, for the project and for all projects. */
  permissions?: PermissionStore | undefined;
  /**
   * Variables for the processes that the host starts, such as commands of Claude Code's `Bash`, and for your tools
   * (`context.environment`), in every run. `environment` of a session or run adds more. Credentials among them are
   * redacted by name, like those of this process.
   *
   * @example
   * const runtime = await createRuntime({ toolEnvironment: { PGHOST: "db.example.com" } });
   */
  toolEnvironment?: Readonly<Record<string, string>> | undefined;
  /** Additional details in the events of every run. Each entry makes the event log longer. Default: none. */
  eventDetails?: readonly EventDetail[] | undefined;
  logger?: Logger | undefined;
  /**
   * The log for events: your own event log, or `project` for the log on disk in the project's folder `.bridle`. Default: an event log in
   * memory. Values from the environment are redacted in every log except your own.
   *
   * @example
   * const eventLog = createMemoryEventLog();
   * const runtime = await createRuntime({ eventLog });
   * // after a run: await eventLog.read({ runId }), await eventLog.artifact(id)
   */
  eventLog?: EventLog | "project" | undefined;
  /** Called with every event of every run. Must not throw and must not wait. */
  onEvent?: ((event: RunEvent) => void) | undefined;
}

interface RuntimeStart {
  /** The proof that the project's files may take effect. The host's program is started only with it. */
  readonly trusted: TrustedFolder;
  readonly choices: RuntimeChoices;
  /** The caller's own backend, with an account that is not shared. Default: the configured one. */
  readonly backend?: Backend | undefined;
}

/** Creates a runtime from a project's settings. Throws ConfigError. Call `close()` when done. */
export async function startRuntime(
  settings: Settings,
  { choices: options, backend: own }: RuntimeStart,
): Promise<AgentRuntime> {
  await prepareNamespace(settings);
  const rules = await resolveRules(settings, options);
  if (options.approve === "event-log" && options.eventLog === undefined) throw nobodyCanAnswer();
  const choices = { settings, options, rules };
  if (own) return runtimeOn(own, { limits: { maxConcurrency: Number.MAX_SAFE_INTEGER }, isShared: false }, choices);
  const backend = await chooseBackend(settings, options);
  const isShared = options.rehearse === undefined; // a rehearsal uses no account
  try {
    return await runtimeOn(backend, { limits: { ...limitDefaults, ...settings.limits }, isShared }, choices);
  } catch (error) {
    await backend.close(); // a rehearsal has a temporary folder
    throw error;
  }
}

interface Choices {
  readonly settings: Settings;
  readonly options: RuntimeChoices;
  readonly rules: Rules;
}

interface Account extends Pick<RuntimeOptions, "limits"> {
  /** Whether other processes use the same account. */
  readonly isShared: boolean;
}

/** Creates a runtime on a backend. If this fails, the event log is closed. */
async function runtimeOn(
  backend: Backend,
  { limits, isShared }: Account,
  { settings, options, rules }: Choices,
): Promise<AgentRuntime> {
  const { eventLog, onEvent } = options;
  const modelsPosition = positionOfModels(settings);
  const redacted = withToolCredentials(settings, options);
  const kept = await openEventLog(redacted, eventLog);
  try {
    const runtime = createAgentRuntime({
      backend,
      models: shownModels(settings),
      ...(modelsPosition && { modelsPosition }),
      promptCaching: settings.promptCaching,
      limits,
      sharedLimits: isShared ? kept.eventLog.limits : undefined,
      projectDir: settings.projectDir,
      toolEnvironment: options.toolEnvironment,
      eventDetails: options.eventDetails,
      ...rules,
      logger: createRunLogger(redacted, options),
      eventLog: kept.eventLog,
      ...(onEvent && { onEvent: (event) => onEvent(event) }),
    });
    return override(runtime, { close: () => runtime.close().finally(kept.close) });
  } catch (error) {
    await kept.close();
    throw error;
  }
}

/** Opens the event log. The returned function closes it, unless the caller opened it. */
async function openEventLog(settings: Settings, eventLog: RuntimeChoices["eventLog"]) {
  if (eventLog === "project") {
    const store = await openForRuns(settings);
    return { eventLog: store, close: () => store.close() };
  }
  return {
    eventLog: eventLog ?? createMemoryEventLog({ redactor: settingsRedactor(settings) }),
    close: async () => {},
  };
}

/** Combines the caller's logger with a log file if the event log is on disk. Neither gets a credential. */
function createRunLogger(settings: Settings, { logger = silentLogger, eventLog }: RuntimeChoices): Logger {
  const onFailure = (error: unknown) => logger.warn({ error }, "the log cannot be written; runs continue without it");
  const file = eventLog === "project" ? [createFileLog({ folder: bridleFolder(settings), onFailure })] : [];
  return createCleanLogger(joinLoggers([logger, ...file]), settingsRedactor(settings));
}

function nobodyCanAnswer(): ConfigError {
  const message =
    'approve is "event-log", but no other process can answer through an event log in memory. Set eventLog to "project", or to your own.';
  return new ConfigError(message, { field: "approve" });
}

type Rules = Pick<RuntimeOptions, "policy" | "approve" | "approvalTimeoutMs" | "permissions">;

/** Resolves the rules, and the settings for all questions: a run may have its own rules and its own approver. */
async function resolveRules(settings: Settings, options: RuntimeChoices): Promise<Rules> {
  const { approve, approvalTimeoutMs, permissions } = options;
  const policy = options.policy ?? (await resolvePolicy(settings, options));
  if (policy !== undefined || approve !== undefined) warnAboutUnusedFiles(settings, options);
  return {
    permissions: permissions ?? createPermissionStore(permissionFiles(settings)),
    ...omitUndefined({ policy, approve, approvalTimeoutMs }),
  };
}

function warnAboutUnusedFiles(settings: Settings, { logger }: RuntimeChoices): void {
  for (const path of unusedPermissionFiles(settings)) logger?.warn({ path }, explainUnusedFile(path));
}

/** Adds the credentials in `toolEnvironment` to the texts that the settings redact. */
function withToolCredentials(settings: Settings, { toolEnvironment = {} }: RuntimeChoices): Settings {
  const credentials = Object.entries(toolEnvironment).filter(([name]) => isCredentialName(name));
  const values = credentials.map(([name, value]) => ({ value, shown: `\${${name}}` }));
  return values.length === 0 ? settings : { ...settings, values: [...settings.values, ...values] };
}

async function chooseBackend(settings: Settings, { rehearse }: RuntimeChoices): Promise<Backend> {
  if (rehearse === undefined) return createBackend(settings);
  const { startRehearsedBackend } = await import("../rehearsal/rehearsed-backend.ts");
  return inNamespace(withSettings(await startRehearsedBackend(rehearse, settings), settings), settings);
}
