/** The engine: runs, sessions, tool calls, rules and limits, on every host. */
import "./system/require-node.ts"; // first, so that nothing else runs on a Node.js that is too old

export { type ApprovalQueue, createApprovalQueue } from "./approvals/approval-queue.ts";
export { type ApprovalStoreParts, createApprovalStore } from "./approvals/approval-store.ts";
export { createInputMatcher, type InputMatch } from "./approvals/input-matcher.ts";
export { createMemoryPermissions } from "./approvals/memory-permissions.ts";
export { forEachInParallel, inParallel } from "./async/in-parallel.ts";
export { runInTime } from "./async/run-in-time.ts";
export { untilAborted } from "./async/until-aborted.ts";
export { Changes, type FollowOptions, followReads } from "./event-log/changes.ts";
export { type ContentRoot, joinParts, splitIntoParts } from "./event-log/content-parts.ts";
export { createEventStream, type EventStream } from "./event-log/event-stream.ts";
export { describeInterruption } from "./event-log/interrupted-run.ts";
export { createMemoryEventLog, type MemoryEventLogOptions } from "./event-log/memory-event-log.ts";
export { refuseAfterClose } from "./event-log/refuse-after-close.ts";
export { type AccountLimiter, type AccountLimiterOptions, accountLimiterFor } from "./limits/account-limiter.ts";
export { readUsedUpWindow } from "./limits/known-windows.ts";
export type { LimitOptions } from "./limits/limit-options.ts";
export { createUsageLimitError } from "./limits/usage-limit-error.ts";
export { composePolicies } from "./policy/compose-policies.ts";
export { policySchemaOfProgram } from "./policy/given-policy.ts";
export { type PolicyModeName, policyModeNames, policyModes, resolveMode } from "./policy/policy-modes.ts";
export {
  type AnnotationRules,
  createPolicy,
  type Decision,
  type PolicyRules,
  type PolicyScope,
  type ToolRule,
} from "./policy/policy-rules.ts";
export { type PolicyConfig, policySchema, projectPolicySchema } from "./policy/policy-schema.ts";
export { withRememberedAnswers } from "./policy/with-remembered-answers.ts";
export { createEventRedaction } from "./redaction/event-redaction.ts";
export { type SecretFinding, secretMarks } from "./redaction/finding.ts";
export type { KnownSecret } from "./redaction/known-secrets.ts";
export { redactContent } from "./redaction/redact-content.ts";
export {
  type CredentialSearch,
  createRedactor,
  isCredentialName,
  type Redactor,
  type RedactorOptions,
  type ReplacesCredentials,
} from "./redaction/redactor.ts";
export { ProcessEnding } from "./run/ending.ts";
export { fingerprintHistory } from "./run/fingerprint.ts";
export { modelForRole } from "./run/run-request.ts";
export { createOpenConversations } from "./runtime/open-conversations.ts";
export { createAgentRuntime, type RuntimeOptions } from "./runtime/runtime.ts";
export { checkInTime } from "./schemas/bounded-schema.ts";
export { type ForkOptions, forkSession } from "./sessions/fork-session.ts";
export { sessionIdPattern } from "./sessions/session-id.ts";
export { readWithoutDeltas, withoutDeltas } from "./sessions/without-deltas.ts";
export { type BytePath, fromBytePath } from "./system/git/byte-paths.ts";
export type { GitSetting } from "./system/git/git-configuration.ts";
export { findGitPrograms, isKnownHookFolder } from "./system/git/git-programs.ts";
export { commonFolder, findRepository, type Repository } from "./system/git/git-repository.ts";
export { sha256 } from "./system/hash.ts";
export { newRunId, newSessionId } from "./system/ids.ts";
export { describeJsonFault } from "./system/json-fault.ts";
export { isLoopback } from "./system/loopback.ts";
export { importOptional } from "./system/optional-package.ts";
export { createPrivateFolder, makeFolders, makePrivate, refuseLinks } from "./system/private-files.ts";
export { ProcessFamily } from "./system/process-family.ts";
export { isRunning, readStartTime } from "./system/process-identity.ts";
export { type OwnProgram, ownPrograms } from "./system/programs/own-programs.ts";
export {
  forkProgram,
  type OutputLimits,
  type ProgramPlace,
  readProgram,
  type StartPermission,
  spawnPiped,
  spawnProgram,
} from "./system/programs/start-programs.ts";
export {
  openRegularFile,
  openRegularFileSync,
  readRegularFile,
  readRegularFileSync,
  readTextFile,
  readTextFileSync,
} from "./system/read-text-file.ts";
export { type FileFormat, FileFormats, formatVersion } from "./system/sqlite/file-formats.ts";
export {
  createPrivateDatabase,
  databaseFiles,
  inTransaction,
  isSqliteDamage,
  openDatabase,
  openDistrusted,
  readSqliteCode,
  sqliteBusyMs,
  sqliteCodes,
  useWriteAheadLog,
} from "./system/sqlite/sqlite-files.ts";
export { StateFile } from "./system/sqlite/state-file.ts";
export { findStorageProblem } from "./system/sqlite/storage-problem.ts";
export { removeOrphanedFolders, temporaryPrefix } from "./system/temporary-folders.ts";
export { createWatchdog, type Watchdog } from "./system/watchdog.ts";
export { startTimer } from "./time/timer.ts";
export { maxStoredChars } from "./tools/cut-results.ts";
export { describeInput } from "./tools/described-input.ts";
export { readResultName } from "./tools/read-result.ts";
export { createToolbox, normaliseToolName, type Toolbox } from "./tools/toolbox.ts";
