/** What all that call Claude Code here are given alike: no tools, no settings, no files, nothing but the request. */
export const hostOptions = {
  systemPrompt: "Be brief.",
  maxTurns: 20,
  tools: [],
  skills: [],
  plugins: [],
  settingSources: [],
  strictMcpConfig: true,
  verbatimPrompts: true,
  persistSession: false,
};

/** The environment of the host: the one it is given, and no traffic but requests. */
export function hostEnvironment({ PATH, HOME, CLAUDE_CONFIG_DIR, ANTHROPIC_API_KEY, ANTHROPIC_BASE_URL }) {
  return {
    PATH,
    HOME,
    CLAUDE_CONFIG_DIR,
    ANTHROPIC_API_KEY,
    ANTHROPIC_BASE_URL,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
    ENABLE_TOOL_SEARCH: "false",
  };
}
