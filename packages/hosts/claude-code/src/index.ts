export { missingVariables, unusedCredentials } from "./auth.ts";
export { type ClaudeCodeBackend, createClaudeCodeBackend } from "./backend.ts";
export { deniedNames, deniedPrefixes } from "./denied-variables.ts";
export { machineVariables } from "./environment.ts";
export { type HostModel, listHostModels } from "./host-models.ts";
export {
  type ClaudeCodeSettings,
  effortIsHonoured,
  type SettingSource,
  thinkingIsHonoured,
} from "./host-settings.ts";
export { findImplicitSources, type ImplicitSourcesQuery } from "./implicit-sources.ts";
export { modelAliases } from "./models.ts";
export { type AuthMode, authModes, type ClaudeCodeOptions, type Environment } from "./options.ts";
export type { PoolState } from "./pool/entry.ts";
export type { PoolOptions } from "./pool/limits.ts";
export { installedVersions, pinnedSdkVersion } from "./versions.ts";
