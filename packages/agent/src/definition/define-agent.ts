import { join, resolve } from "node:path";
import { type EnvironmentValue, readObject } from "@bridle/project";
import { given, optionsCheck } from "@bridle/protocol";
import type { AgentInput } from "../config/schema.ts";
import type { AgentDefinition } from "./agent-definition.ts";
import type { LoadAgentOptions } from "./load-agent.ts";
import { type AgentReader, readDefinition } from "./read-definition.ts";

export interface DefineAgentOptions extends Pick<LoadAgentOptions, "environment" | "toolKinds"> {
  /** The folder that relative paths are resolved against. Default: the working directory. */
  readonly folder?: string | undefined;
}

const checkOptions = optionsCheck<DefineAgentOptions>("defineAgent", {
  environment: given.object,
  toolKinds: given.list.optional(),
  folder: given.text.optional(),
});

/**
 * Validates an agent that is passed as an object with the fields of an agent file, including the files that it refers to.
 *
 * @throws AgentFileError with every problem, each with the path of its setting.
 *
 * @example
 * const definition = await defineAgent(
 *   {
 *     name: "desk",
 *     instructions: { inline: "You answer questions about orders." },
 *     tools: [{ type: "mcp", name: "orders", command: "node", args: ["orders-server.js"] }],
 *   },
 *   { environment: process.env },
 * );
 * const agent = await openAgent(definition);
 */
export async function defineAgent(agent: AgentInput, options: DefineAgentOptions): Promise<AgentDefinition> {
  checkOptions(options);
  const { environment, folder = process.cwd() } = options;
  const baseDir = resolve(folder);
  const read: AgentReader = (form) => readObject(agent, "agent", environment, form);
  const place = { path: join(baseDir, "agent"), file: "agent", baseDir, cwd: baseDir };
  const definition = await readDefinition(read, place, options);
  const own = new Set(textsIn(agent));
  const markOwn = (each: EnvironmentValue) => (own.has(each.value) ? { ...each, isOfProgram: true } : each);
  return { ...definition, values: definition.values.map(markOwn) };
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
