/**
 * Variables that change who pays, or where requests are sent. The host gets such a variable only if the chosen auth mode needs it, even if
 * a caller adds it by name. To deny another variable, add a line.
 *
 * This list is the second line of defence. The first is an allow-list: variables that are not on it are not passed.
 */
export const deniedNames: readonly string[] = [
  "ANTHROPIC_API_KEY",
  "ANTHROPIC_AUTH_TOKEN",
  "ANTHROPIC_BASE_URL",
  "ANTHROPIC_MODEL",
  "ANTHROPIC_SMALL_FAST_MODEL",
  "ANTHROPIC_CUSTOM_HEADERS",
  "ANTHROPIC_UNIX_SOCKET",
  "ANTHROPIC_PROFILE",
  "ANTHROPIC_CONFIG_DIR",
  "CLOUD_ML_REGION",
  "GOOGLE_APPLICATION_CREDENTIALS",
  "GOOGLE_CLOUD_PROJECT",
  "GCLOUD_PROJECT",
  "CLAUDE_CODE_API_BASE_URL",
  "CLAUDE_CODE_CUSTOM_OAUTH_URL",
  "CLAUDE_CODE_OAUTH_TOKEN",
  "CLAUDE_CODE_EXTRA_BODY",
  "CLAUDECODE",
  "CLAUDE_CODE_ENTRYPOINT",
  "CLAUDE_CODE_SESSION_ID",
  "CLAUDE_CODE_SESSION_ACCESS_TOKEN",
  "CLAUDE_CODE_SSE_PORT",
  "CLAUDE_CODE_INGRESS_TOKEN",
  "CLAUDE_SESSION_INGRESS_TOKEN_FILE",
  "CLAUDE_CODE_OAUTH_REFRESH_TOKEN",
  "CLAUDE_CODE_WEBSOCKET_AUTH_FILE_DESCRIPTOR",
];

/** The prefixes of denied variables. */
export const deniedPrefixes: readonly string[] = [
  "ANTHROPIC_AWS_",
  "ANTHROPIC_BEDROCK_",
  "ANTHROPIC_FOUNDRY_",
  "ANTHROPIC_VERTEX_",
  "ANTHROPIC_DEFAULT_",
  "AWS_",
  "AZURE_",
  "CLAUDE_CODE_USE_",
];

export function isDenied(name: string): boolean {
  const upper = name.toUpperCase();
  return deniedNames.includes(upper) || deniedPrefixes.some((prefix) => upper.startsWith(prefix));
}
