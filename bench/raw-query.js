import { query } from "@anthropic-ai/claude-agent-sdk";

const options = { model: "sonnet", systemPrompt: "Be brief.", maxTurns: 20, tools: [], skills: [], plugins: [] };
const closed = { settingSources: [], strictMcpConfig: true, verbatimPrompts: true, persistSession: false };
const { PATH, HOME, CLAUDE_CONFIG_DIR, ANTHROPIC_API_KEY, ANTHROPIC_BASE_URL } = process.env;
const quiet = { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1", DISABLE_AUTOUPDATER: "1", ENABLE_TOOL_SEARCH: "false" };
const env = { PATH, HOME, CLAUDE_CONFIG_DIR, ANTHROPIC_API_KEY, ANTHROPIC_BASE_URL, ...quiet };
for await (const message of query({ prompt: "hello", options: { ...options, ...closed, env } })) {
  if (message.type === "result") console.log(message.result);
}
