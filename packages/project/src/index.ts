export { type AuthMode, authModes } from "@bridle/claude-code";
export { type BackendName, backendNames, configJsonSchema } from "./config/schema.ts";
export type { Environment } from "./config/variables.ts";
export { type CreateRuntimeOptions, createRuntime } from "./create-runtime.ts";
export { type Check, checkSchema, doctorSchema } from "./doctor/check.ts";
export { type DoctorOptions, runDoctor } from "./doctor/run-doctor.ts";
export type { SettingsOptions } from "./settings.ts";
export { describeStatus } from "./status/describe-status.ts";
export { type Status, statusSchema } from "./status/status-schema.ts";
