/** Claude Code through its Agent SDK alone. If run as a program, this file sends one prompt, with the process's environment. */
import { pathToFileURL } from "node:url";
import { query } from "@anthropic-ai/claude-agent-sdk";
import { hostEnvironment, hostOptions } from "./host-options.js";

export async function ask(prompt, { environment, cwd }) {
  const options = { ...hostOptions, model: "sonnet", env: hostEnvironment(environment), cwd };
  for await (const message of query({ prompt, options })) {
    if (message.type === "result") return message.result;
  }
}

/** Starts a conversation that the host stores on disk, and resolves with a function that continues it. */
export async function createResume({ environment, cwd }) {
  const options = { ...hostOptions, model: "sonnet", env: hostEnvironment(environment), cwd, persistSession: true };
  const run = async (prompt, more) => {
    for await (const message of query({ prompt, options: { ...options, ...more } })) {
      if (message.type === "result") return message;
    }
  };
  const { session_id: resume } = await run("hello", {});
  return async (prompt) => (await run(prompt, { resume, forkSession: true })).result;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  console.log(await ask("hello", { environment: process.env, cwd: process.cwd() }));
}
