import { isDenied } from "./denied-variables.ts";

/**
 * Variables that Claude Code itself reads, in addition to the denied ones. They locate its login and settings, configure its network
 * access, load code into its process, or change other settings. The names come from the binary of 2.1.330.
 */
const names = [
  "HOME",
  "USERPROFILE",
  "APPDATA",
  "LOCALAPPDATA",
  "XDG_CONFIG_HOME",
  "XDG_CACHE_HOME",
  "TMPDIR",
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "ALL_PROXY",
  "NO_PROXY",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
  "SESSION_INGRESS_URL",
  "AI_AGENT",
  "DEBUG",
  "API_TIMEOUT_MS",
  "IS_SANDBOX",
  "MAX_THINKING_TOKENS",
  "MAX_STRUCTURED_OUTPUT_RETRIES",
  "MAX_MCP_OUTPUT_TOKENS",
  "SLASH_COMMAND_TOOL_CHAR_BUDGET",
  "USE_BUILTIN_RIPGREP",
];

const prefixes = [
  "ANTHROPIC_",
  "CLAUDE",
  "VERTEX_REGION_",
  "CLOUDSDK_",
  "GCE_METADATA_",
  "GOOGLE_CLOUD_",
  "CCR_",
  "SELF_HOSTED_RUNNER_",
  "DISABLE_",
  "ENABLE_TOOL_",
  "ENABLE_LSP_",
  "ENABLE_ENHANCED_TELEMETRY_",
  "MCP_",
  "NODE_",
  "BUN_",
  "LD_",
  "DYLD_",
];

/** Whether a variable for the host's tools would also change the host. */
export function isReserved(name: string): boolean {
  const upper = name.toUpperCase();
  return isDenied(name) || names.includes(upper) || prefixes.some((prefix) => upper.startsWith(prefix));
}
