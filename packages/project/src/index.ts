export { type AuthMode, authModes } from "@bridle/claude-code";
export { type BackendName, backendNames, type Config, configJsonSchema, configSchema } from "./config/schema.ts";
export type { Environment } from "./config/variables.ts";
export { type CreateRuntimeOptions, createRuntime } from "./create-runtime.ts";
export type { SettingsOptions } from "./settings.ts";
