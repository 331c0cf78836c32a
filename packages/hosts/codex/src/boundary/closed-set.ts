/**
 * The boundary: nothing reaches the model, and nothing runs, unless the caller passes it.
 *
 * No other module creates settings for Codex. Each setting closes a hole that was observed on 0.169.0. `npm run soak` removes each setting
 * among traps, and lists those that are needed; the others are second locks: other settings close the same holes, too.
 */

/** Every Codex feature that adds a tool, text, a process or network traffic. */
const closedFeatures: readonly string[] = [
  "api_key_model_discovery",
  "apps",
  "auth_elicitation",
  "browser_use",
  "browser_use_external",
  "browser_use_full_cdp_access",
  "chronicle",
  "code_mode",
  "code_mode_host",
  "code_mode_only",
  "computer_use",
  "context_management",
  "current_time_reminder",
  "daemon_auto_start",
  "deferred_executor",
  "enable_request_compression",
  "external_agent_memory_import",
  "goals",
  "hooks",
  "image_generation",
  "in_app_browser",
  "in_app_chat",
  "in_app_dictation",
  "in_app_local_automation",
  "in_app_updates",
  "in_app_voice",
  "memories",
  "multi_agent",
  "multi_agent_v2",
  "plugin_sharing",
  "plugins",
  "remote_plugin",
  "request_permissions_tool",
  "shell_snapshot",
  "shell_tool",
  "skill_mcp_dependency_install",
  "skill_search",
  "sleep_tool",
  "standalone_web_search",
  "token_budget",
  "tool_call_mcp_elicitation",
  "tool_suggest",
  "unbounded_connection_retries", // otherwise a turn never ends if the network is lost
  "view_image",
  "workspace_dependencies",
];

export type Setting = readonly [key: string, value: unknown];

/** Returns the settings of a process that adds nothing of its own. */
export function closedSettings(): Setting[] {
  return [
    ["web_search", "disabled"],
    ["instructions", ""],
    ["developer_instructions", ""],
    ["project_doc_max_bytes", 0],
    ["include_environment_context", false],
    ["include_permissions_instructions", false],
    ["include_collaboration_mode_instructions", false],
    ["include_apps_instructions", false],
    ["skills.include_instructions", false],
    ["skills.bundled.enabled", false],
    ["tools.experimental_request_user_input.enabled", false],
    ["tools.update_plan.enabled", false],
    ["notify", []],
    ["history.persistence", "none"],
    ["analytics.enabled", false],
    ["cli_auth_credentials_store", "file"],
    ["check_for_update_on_startup", false],
    ...closedFeatures.map((name): Setting => [`features.${name}`, false]),
    ["tool_output_token_limit", 1_000_000], // otherwise the host cuts results at 10,000 tokens
    ["model_auto_compact_token_limit", 100_000_000], // otherwise the host summarises a long conversation in its own words
  ];
}

/**
 * The settings for a process that changes files in a folder. The sandbox makes no other folder writable, regardless of the process's
 * environment variables.
 */
export const patchSettings: readonly Setting[] = [
  ["sandbox_workspace_write.exclude_slash_tmp", true],
  ["sandbox_workspace_write.exclude_tmpdir_env_var", true],
];

/** Returns the command line of a process with these settings. JSON strings, numbers and lists are also valid TOML. */
export function toArguments(settings: readonly Setting[]): string[] {
  return ["app-server", ...settings.flatMap(([key, value]) => ["-c", `${key}=${toToml(value)}`])];
}

function toToml(value: unknown): string {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return JSON.stringify(value);
  const pairs = Object.entries(value).map(([key, each]) => `${JSON.stringify(key)}=${toToml(each)}`);
  return `{${pairs.join(",")}}`;
}
