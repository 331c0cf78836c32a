/** The options of all peers that call Claude Code: no tools, no settings and no files, so that the host only sends the request. */
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

/** Returns the host's environment, which turns off all traffic except requests. */
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
