/** Claude Code through its Agent SDK and nothing else. As a program it asks once, with this process's environment. */
import { pathToFileURL } from "node:url";
import { query } from "@anthropic-ai/claude-agent-sdk";
import { hostEnvironment, hostOptions } from "./host-options.js";

export async function ask(prompt, { environment, cwd }) {
  const options = { ...hostOptions, model: "sonnet", env: hostEnvironment(environment), cwd };
  for await (const message of query({ prompt, options })) {
    if (message.type === "result") return message.result;
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  console.log(await ask("hello", { environment: process.env, cwd: process.cwd() }));
}
