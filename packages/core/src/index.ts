export { approvalDecisions, approvalScopes } from "./approval-events.ts";
export { type AnswerResult, type ApprovalQueue, createApprovalQueue } from "./approval-queue.ts";
export {
  type AnswerOutcome,
  type ApprovalStore,
  type ApprovalStoreParts,
  createApprovalStore,
  type OpenApproval,
  type OrphanedApproval,
  type StoredAnswerResult,
} from "./approval-store.ts";
export {
  type Approval,
  type ApprovalAnswer,
  type Approver,
  pendingApprovals,
  sessionAnswers,
  toRemembered,
} from "./approvals.ts";
export * from "./backend.ts";
export { describeInput } from "./described-input.ts";
export type { Embedder, Embeddings, EmbedOptions } from "./embedder.ts";
export * from "./errors.ts";
export { escapeExpression } from "./escape-expression.ts";
export { createEventRedaction } from "./event-redaction.ts";
export { createEventStream, type EventStream } from "./event-stream.ts";
export * from "./events.ts";
export { counted, formatCost, formatCount, formatDollars, formatDuration } from "./figures.ts";
export { fingerprintOf, historyFrom, historyOf } from "./history.ts";
export {
  type HistoryMessage,
  type HistoryPart,
  historyInput,
  type ToolCallPart,
  type ToolResultPart,
} from "./history-message.ts";
export { createInputTest, type InputPattern } from "./input-pattern.ts";
export { endOfInterrupted } from "./interrupted-run.ts";
export { canonicalJson, isPlainObject, type JsonSchema, type JsonValue, sha256 } from "./json.ts";
export { type AccountLimiter, type AccountLimiterOptions, accountLimiterFor } from "./limits/account-limiter.ts";
export type { LimitOptions } from "./limits/limit-options.ts";
export { type LimitState, readLimitState } from "./limits/limit-store.ts";
export { type Logger, silentLogger } from "./logger.ts";
export { createMemoryEventLog, type MemoryEventLogOptions } from "./memory-event-log.ts";
export type {
  Direction,
  GraderSource,
  Judge,
  JudgeQuestion,
  MetricCall,
  MetricContext,
  MetricDefinition,
  MetricDocumentation,
  MetricFacts,
  MetricKind,
  MetricScore,
  MetricScorer,
  MetricUnit,
  ScoringContext,
} from "./metric-definition.ts";
export { nearest, suggestion } from "./nearest.ts";
export { omitUndefined, type WithoutUndefined } from "./omit-undefined.ts";
export { createOpenConversations } from "./open-conversations.ts";
export { createMemoryPermissions, type PermissionStore, type RememberedAnswer } from "./permissions.ts";
export { modelOf } from "./plan.ts";
export { allowHandedOver, type Policy, type PolicyCall, type PolicyDecision } from "./policy.ts";
export { type PolicyModeName, policyModeNames, policyModes, resolveMode } from "./policy-modes.ts";
export { createPolicy, type PolicyRules, type ToolRule } from "./policy-rules.ts";
export { isRunning, startTimeOf } from "./process-identity.ts";
export { type Message, messageText, type Prompt, type PromptMessage, type PromptPart, textMessage } from "./prompt.ts";
export { readResultName } from "./read-result.ts";
export { reasonOf } from "./reason-of.ts";
export type { AppendOptions, EventLog, EventQuery, RunPlace, RunSummary, SessionSummary } from "./record.ts";
export * from "./request.ts";
export { createAgentRuntime, type RuntimeOptions } from "./runtime.ts";
export {
  createRedactor,
  isCredentialName,
  type Redactor,
  type RedactorOptions,
  redactContent,
  secretMark,
} from "./secrets.ts";
export type { Compaction } from "./session/compaction.ts";
export { type ForkOptions, forkSession } from "./session/fork-session.ts";
export { sessionIdPattern } from "./session/session-id.ts";
export { addToTotals, noTotals, type SessionTotals } from "./session/totals.ts";
export { withoutDeltas } from "./session/without-deltas.ts";
export { describeSession } from "./session-summary.ts";
export * from "./store-errors.ts";
export { startTimer } from "./timer.ts";
export {
  type AnyTool,
  type DescribedInput,
  defineTool,
  type InputOf,
  type ToolAnnotations,
  type ToolContext,
  type ToolDescriptor,
  type ToolInput,
  type ToolOutput,
} from "./tool.ts";
export { createToolbox, normaliseToolName, type Toolbox } from "./toolbox.ts";
export {
  emptyTranscript,
  reduceTranscript,
  type ToolEntry,
  type Transcript,
  type TranscriptEntry,
  transcriptOf,
} from "./transcript.ts";
export { addCost, addUsage, type Cost, createUsageMeter, noUsage, totalTokens, type Usage } from "./usage.ts";
export { windowUsedUp } from "./used-up-window.ts";
export { createWatchdog, type Watchdog } from "./watchdog.ts";
