export { type CodexBackend, createCodexBackend } from "./backend.ts";
export { installedCodex, pinnedCodexVersion } from "./boundary/codex-binary.ts";
export { codexHost } from "./definition/definition.ts";
export { type CodexAuthMode, type CodexOptions, codexAuthModes } from "./options.ts";
