import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { onTestFinished } from "vitest";
import { createPlace, type Place, startCommand } from "../support/command.ts";

export const bridleFile = join(import.meta.dirname, "../../../bridle/bin/bridle.js");

const tools = `
import { defineTool } from "bridle";
import { z } from "zod";

console.log("a tools file that prints");
export const add = defineTool({
  name: "add",
  description: "Adds two numbers.",
  input: z.object({ a: z.number(), b: z.number() }),
  annotations: { readOnly: true },
  execute: async ({ a, b }, { progress }) => {
    console.log("a tool that prints");
    progress("adding");
    return { markdown: \`The sum is \${a + b}.\`, structured: { sum: a + b } };
  },
});
export const sendMail = defineTool({
  name: "send_mail",
  description: "Sends a mail.",
  input: z.object({ to: z.string() }),
  execute: async ({ to }) => \`Sent to \${to}.\`,
});
export const wait = defineTool({
  name: "wait",
  description: "Waits until it is cancelled.",
  input: z.object({}),
  annotations: { readOnly: true },
  execute: (_input, { signal }) =>
    new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(new Error("stopped")))),
});
export default [add, sendMail, wait];
`;

const agent = `
name: desk
instructions: { inline: You help. }
tools:
  - { type: function, name: add, file: tools.ts, function: add }
  - { type: function, name: send_mail, file: tools.ts, function: sendMail }
  - { type: function, name: wait, file: tools.ts, function: wait }
`;

/** Creates a project with an agent and its tools, but without a model. Removes the project when the test ends. */
export async function createToolProject({ rules = "" } = {}): Promise<Place> {
  const place = await createPlace();
  onTestFinished(place.remove);
  await writeFile(join(place.project, "tools.ts"), tools);
  await writeFile(join(place.project, "agent.yaml"), agent);
  await writeFile(join(place.project, "bridle.yaml"), rules || "llm: {}\n");
  return place;
}

/** Starts the real command as the server of a client of the official SDK. */
export async function connectToCommand(place: Place, words: readonly string[] = []) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [bridleFile, "mcp", ...words],
    cwd: place.project,
    env: place.environment,
    stderr: "pipe",
  });
  let stderr = "";
  transport.stderr?.on("data", (chunk) => {
    stderr += chunk;
  });
  const client = new Client({ name: "test-client", version: "7" });
  const errors: Error[] = [];
  client.onerror = (error) => void errors.push(error);
  onTestFinished(() => client.close());
  await client.connect(transport);
  return { client, errors, pid: transport.pid, stderr: () => stderr };
}

/** Runs `bridle events --json` after the server has ended. */
export async function readEvents(place: Place): Promise<Record<string, unknown>[]> {
  const command = startCommand(["events", "--json"], place);
  if ((await command.ended) !== 0) throw new Error(command.stderr());
  return command
    .stdout()
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}
