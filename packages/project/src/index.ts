export {
  type AuthMode,
  authModes,
  type ClaudeCodeSettings,
  effortIsHonoured,
  findImplicitSources,
  installedVersions,
  type SettingSource,
  thinkingIsHonoured,
} from "@bridle/claude-code";
export { createConcealer } from "./conceal.ts";
export { editorSchema, type JsonSchemaDocument } from "./config/editor-schema.ts";
export { locateProject, type ProjectPlace, shownPath } from "./config/locate.ts";
export { policySchema } from "./config/policy.ts";
export type { FileForm } from "./config/problems.ts";
export { type BackendName, backendNames, hasClaude, type Provider } from "./config/provider.ts";
export { byPlace, type FileProblem, problemText, readYaml, type YamlFile } from "./config/read-yaml.ts";
export { configJsonSchema } from "./config/schema.ts";
export type { Environment, EnvironmentValue } from "./config/variables.ts";
export {
  type CreateEmbedderOptions,
  createEmbedder,
  type FindEmbedderOptions,
  findEmbedder,
} from "./create-embedder.ts";
export { type CreateRuntimeOptions, createRuntime } from "./create-runtime.ts";
export { type Check, checkSchema, doctorSchema } from "./doctor/check.ts";
export { type DoctorOptions, runDoctor } from "./doctor/run-doctor.ts";
export type { EmbeddingChoice, GivenEmbeddings } from "./given-embeddings.ts";
export type { GivenProvider, ProviderSource } from "./given-provider.ts";
export { describeAvailableModels, type ModelsOptions } from "./models/describe-models.ts";
export { type Models, modelsSchema } from "./models/models-schema.ts";
export { bridleFolder } from "./namespace/places.ts";
export {
  createPermissionStore,
  type ListedPermission,
  listPermissions,
  removePermission,
} from "./permissions/permission-store.ts";
export { findPermissionFiles } from "./permissions/places.ts";
export { type PolicyOptions, resolvePolicy } from "./policy.ts";
export { openProjectEventLog, settingsRedactor } from "./project-event-log.ts";
export { resolveSettings, type SettingsOptions } from "./settings.ts";
export { describeStatus } from "./status/describe-status.ts";
export { policySentence } from "./status/policy-sentence.ts";
export { type Status, statusSchema } from "./status/status-schema.ts";
export { collectSupportFacts, type SupportFacts } from "./support-facts.ts";
export { firstLineOf, placeOf } from "./user-module/explain-failure.ts";
export {
  type LoadModuleOptions,
  loadUserModule,
  refuseModule,
  type UserModule,
} from "./user-module/load-user-module.ts";
