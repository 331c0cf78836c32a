/** Runs an agent, or the project's model. */

export { policyModeNames, policyModes } from "@bridle/core";
export { authModes, backendNames } from "@bridle/project";
export { type AgentChatPlan, type AgentPlan, type AgentRunPlan, answersWithObject } from "./agent-plan.ts";
export type { AgentRunner } from "./agent-runner.ts";
export { endReason } from "./end-reason.ts";
export { openRunner } from "./open-runner.ts";
export { performRun, type RunEffects } from "./perform-run.ts";
export { readInstructionsFlag } from "./read-instructions.ts";
export { reportRun, runReportSchema } from "./run-report.ts";
export { accountLimits, type RunnerEffects } from "./runtime-options.ts";
export { readSchemaFile } from "./schema-file.ts";
export { sendWhenFree } from "./send-when-free.ts";
