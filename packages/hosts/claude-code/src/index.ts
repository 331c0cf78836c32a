export { missingVariables, unusedCredentials } from "./auth/auth-modes.ts";
export { type ClaudeCodeBackend, createClaudeCodeBackend } from "./backend.ts";
export { installedVersions, pinnedSdkVersion } from "./boundary/versions.ts";
export { claudeCodeHost } from "./definition/definition.ts";
export { deniedNames, deniedPrefixes } from "./environment/denied-variables.ts";
export { type ClaudeAuthMode, type ClaudeCodeOptions, type ClaudeEnvironment, claudeAuthModes } from "./options.ts";
export type { PoolState } from "./pool/entry.ts";
export type { PoolOptions } from "./pool-limits.ts";
export { type HostModel, listHostModels } from "./probes/list-models.ts";
export {
  type ClaudeCodeSettings,
  effortIsHonoured,
  type SettingSource,
  thinkingIsHonoured,
} from "./settings/host-settings.ts";
export { findImplicitSources, type ImplicitSourcesQuery } from "./settings/implicit-sources.ts";
export { modelAliases } from "./settings/model-names.ts";
