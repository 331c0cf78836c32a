/** The engine: runs, sessions, tool calls, rules and limits, on every host. */
export { type ApprovalQueue, createApprovalQueue } from "./approvals/approval-queue.ts";
export { type ApprovalStoreParts, createApprovalStore } from "./approvals/approval-store.ts";
export { createInputMatcher, type InputMatch } from "./approvals/input-matcher.ts";
export { createMemoryPermissions } from "./approvals/memory-permissions.ts";
export { createEventStream, type EventStream } from "./event-log/event-stream.ts";
export { describeInterruptedEnd } from "./event-log/interrupted-run.ts";
export { createMemoryEventLog, type MemoryEventLogOptions } from "./event-log/memory-event-log.ts";
export { type AccountLimiter, type AccountLimiterOptions, accountLimiterFor } from "./limits/account-limiter.ts";
export type { LimitOptions } from "./limits/limit-options.ts";
export { type LimitState, readLimitState } from "./limits/limit-store.ts";
export { createUsageLimitError } from "./limits/usage-limit-error.ts";
export { type PolicyModeName, policyModeNames, policyModes, resolveMode } from "./policy/policy-modes.ts";
export { createPolicy, type PolicyRules, type ToolRule } from "./policy/policy-rules.ts";
export { createEventRedaction } from "./redaction/event-redaction.ts";
export { secretMarks } from "./redaction/finding.ts";
export type { KnownSecret } from "./redaction/known-secrets.ts";
export {
  createRedactor,
  isCredentialName,
  type Redactor,
  type RedactorOptions,
  redactContent,
} from "./redaction/redactor.ts";
export { fingerprintHistory } from "./run/fingerprint.ts";
export { modelForRole } from "./run/run-request.ts";
export { createOpenConversations } from "./runtime/open-conversations.ts";
export { createAgentRuntime, type RuntimeOptions } from "./runtime/runtime.ts";
export { type ForkOptions, forkSession } from "./sessions/fork-session.ts";
export { sessionIdPattern } from "./sessions/session-id.ts";
export { withoutDeltas } from "./sessions/without-deltas.ts";
export { sha256 } from "./system/hash.ts";
export { forEachInParallel, inParallel } from "./system/in-parallel.ts";
export { isLoopback } from "./system/loopback.ts";
export { importOptional } from "./system/optional-package.ts";
export { createPrivateFolder, makePrivate, refuseLinks } from "./system/private-files.ts";
export { ProcessFamily } from "./system/process-family.ts";
export { isRunning, readStartTime } from "./system/process-identity.ts";
export {
  openRegularFileSync,
  readRegularFile,
  readRegularFileSync,
  readTextFile,
  readTextFileSync,
} from "./system/read-text-file.ts";
export { runInTime } from "./system/run-in-time.ts";
export {
  isSqliteDamage,
  readSqliteCode,
  readSqliteSchema,
  secureSqlite,
  sqliteBusyMs,
  sqliteCodes,
  useWriteAheadLog,
} from "./system/sqlite-files.ts";
export { inTransaction } from "./system/sqlite-transaction.ts";
export { removeOrphanedFolders, temporaryPrefix } from "./system/temporary-folders.ts";
export { createWatchdog, type Watchdog } from "./system/watchdog.ts";
export { startTimer } from "./time/timer.ts";
export { describeInput } from "./tools/described-input.ts";
export { readResultName } from "./tools/read-result.ts";
export { createToolbox, normaliseToolName, type Toolbox } from "./tools/toolbox.ts";
