export { type AuthMode, authModes } from "@bridle/claude-code";
export { type BackendName, backendNames } from "./config/provider.ts";
export { configJsonSchema } from "./config/schema.ts";
export type { Environment } from "./config/variables.ts";
export { type CreateEmbedderOptions, createEmbedder } from "./create-embedder.ts";
export { type CreateRuntimeOptions, createRuntime } from "./create-runtime.ts";
export { type Check, checkSchema, doctorSchema } from "./doctor/check.ts";
export { type DoctorOptions, runDoctor } from "./doctor/run-doctor.ts";
export { describeAvailableModels, type ModelsOptions } from "./models/describe-models.ts";
export { type Models, modelsSchema } from "./models/models-schema.ts";
export {
  createPermissionStore,
  type ListedPermission,
  listPermissions,
  removePermission,
} from "./permissions/permission-store.ts";
export { findPermissionFiles } from "./permissions/places.ts";
export { openProjectRecord, settingsRedactor } from "./project-record.ts";
export { resolveSettings, type SettingsOptions } from "./settings.ts";
export { describeStatus } from "./status/describe-status.ts";
export { policySentence } from "./status/policy-sentence.ts";
export { type Status, statusSchema } from "./status/status-schema.ts";
export { collectSupportFacts, type SupportFacts } from "./support-facts.ts";
