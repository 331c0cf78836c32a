/** Claude Code through the AI SDK's community provider, as its readme shows. */
import { generateText } from "ai";
import { createClaudeCode } from "ai-sdk-provider-claude-code";
import { hostEnvironment, hostOptions } from "./host-options.js";

export async function ask(prompt, { environment, cwd }) {
  const provider = createClaudeCode({
    defaultSettings: { cwd, env: hostEnvironment(environment), sdkOptions: hostOptions },
  });
  const { text } = await generateText({ model: provider("sonnet"), prompt, maxRetries: 0 });
  return text;
}
