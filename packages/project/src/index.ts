export type { RehearsedModel, RehearsedRequest, ScriptInput, StepInput, ToolResult } from "@bridle/rehearsal";
export type { Store } from "@bridle/store-sqlite";
export type { ConnectionEntry, ContextConfig } from "./config/context.ts";
export { editorSchema, type JsonSchemaDocument } from "./config/editor-schema.ts";
export type { EventLogConfig, PostgresConfig } from "./config/event-log.ts";
export { locateProject, type ProjectLocation, shownPath } from "./config/locate.ts";
export type { ParsedConfig } from "./config/parse.ts";
export type { FileForm } from "./config/problems.ts";
export { readObject } from "./config/read-object.ts";
export { byPosition, type FileProblem, problemText, readYaml, type YamlFile } from "./config/read-yaml.ts";
export { type Config, type ConfigInput, configJsonSchema } from "./config/schema.ts";
export { type ServeConfig, serverOwner } from "./config/serve.ts";
export type { SettingSources } from "./config/setting-sources.ts";
export { findTypedSecrets, isOpenSecret, type TypedSecret } from "./config/typed-secrets.ts";
export type { Environment, EnvironmentValue, PathForm } from "./config/variables.ts";
export { collectSupportFacts, type DoctorOptions, runDoctor } from "./conveniences.ts";
export { type Check, checkSchema, doctorSchema } from "./doctor/check.ts";
export { type CheckOptions, checksWithoutProject } from "./doctor/run-doctor.ts";
export { factsWithoutProject, type ResolvedSetting, type SupportFacts } from "./doctor/support-facts.ts";
export {
  asWritten,
  fileContent,
  isOutside,
  isUnencrypted,
  realPath,
  shownAddress,
  shownPairs,
  shownWord,
  variableEffects,
  type WrittenTexts,
} from "./effects/effect-values.ts";
export { credentialEffects, packageEffects } from "./effects/list-project-effects.ts";
export { hostEffects, policyEffects, rulesEffect, skippingModes } from "./effects/setting-effects.ts";
export type { OpenEmbedderOptions } from "./embeddings/open-embedder.ts";
export {
  type EnvironmentFile,
  findEnvironmentEffects,
  readEnvironmentFile,
} from "./environment-file/environment-file.ts";
export { settingsRedactor } from "./event-log/event-log.ts";
export { createValueRedactor } from "./hosts/value-redactor.ts";
export { readFileAgain, withRulesInText, withRulesOf } from "./later-rules.ts";
export { type Models, modelsSchema } from "./models/models-schema.ts";
export { bridleFolder, type TenantScope, testRunsFolder } from "./namespace/folders.ts";
export type { TenantOptions } from "./namespace/resolve-environment.ts";
export { stateFolder } from "./namespace/system-folders.ts";
export {
  type CreateEmbedderOptions,
  type CreateRuntimeOptions,
  createEmbedder,
  createRuntime,
  doctor,
  type ModelsOptions,
  models,
  openProjectEventLog,
  status,
  type TenantProjectOptions,
} from "./operations.ts";
export {
  explainUnusedFile,
  findPermissionFiles,
  findUnusedPermissionFiles,
  type PermissionFile,
} from "./permissions/permission-files.ts";
export {
  createPermissionStore,
  type ListedPermission,
  listPermissions,
  removePermission,
} from "./permissions/permission-store.ts";
export { openProject, Project, type ProjectOptions } from "./project.ts";
export { allEmbedders, type EmbeddingsConfig, embedderDefinition } from "./registries/embedder-registry.ts";
export {
  type AuthMode,
  agentBlocks,
  agentModelForms,
  authModes,
  type BackendName,
  backendNames,
  hostOf,
  hostProposals,
  loadHost,
  type Provider,
  shareModelNames,
} from "./registries/host-registry.ts";
export { type RehearsedJudges, rehearsedJudges } from "./rehearsal/rehearsed-judges.ts";
export { hashOfScript } from "./rehearsal/script-hash.ts";
export { type PolicyOptions, resolvePolicy } from "./runtime/policy.ts";
export { findAgentFiles, readPolicyScope } from "./runtime/policy-scope.ts";
export type { RuntimeChoices } from "./runtime/start-runtime.ts";
export type { EmbeddingChoice, GivenEmbeddings } from "./settings/given-embeddings.ts";
export {
  type AssumedKey,
  type GivenProvider,
  isReachedByProject,
  type ProviderSource,
} from "./settings/given-provider.ts";
export type { ProjectFile } from "./settings/project-file.ts";
export type { Settings, SettingsOptions } from "./settings/settings.ts";
export { policySentence } from "./status/policy-sentence.ts";
export { type Status, statusSchema } from "./status/status-schema.ts";
export { escapeHidden, formatEffect, formatStates } from "./trust/describe-states.ts";
export {
  createFolderTrust,
  createTrustForOnce,
  type FolderTrustOptions,
  StoredTrust,
  trustEverything,
} from "./trust/folder-trust.ts";
export { findForeignState, stateFileName } from "./trust/foreign-state.ts";
export { isForeignLink, refuseForeignLink } from "./trust/links.ts";
export { requireOwn } from "./trust/owner.ts";
export { summarizeTrust, type TrustSummary, trustSchema } from "./trust/trust-schema.ts";
export { readUsageLimits, type UsageLimits, usageLimitsSchema } from "./usage-limits.ts";
export { findUserPosition, firstLineOf } from "./user-module/explain-failure.ts";
export {
  type LoadModuleOptions,
  loadUserModule,
  refuseModule,
} from "./user-module/load-user-module.ts";
export type { UserModule } from "./user-module/user-module.ts";
export type { ListedConnection } from "./warehouses/list-connections.ts";
export type { WarehouseChoices } from "./warehouses/open-connection.ts";
