/** Finds the names that a project's rules may use: those of all its agents, as far as the agent files show them without being opened. */
import fs from "node:fs"; // an old Node.js has no globSync, and would name that instead of its version
import { resolve } from "node:path";
import { normaliseToolName, type PolicyScope, readTextFile } from "@bridle/core";
import { isPlainObject } from "@bridle/protocol";
import { agentBlocks } from "../registries/host-registry.ts";
import { isForeignLink } from "../trust/links.ts";

/** The places where agents are searched if no file is named, relative to the project. */
const usualPlaces = ["agent.yaml", "*/agent.yaml", "agents/*.{yaml,yml}", "agents/*/agent.yaml"];

/** Folders that contain no agents of the project. */
const skippedFolders = /(?:^|[\\/])(?:node_modules|\.[^\\/]*)(?:[\\/]|$)/;

/** Lists the files in the usual places of agents, as absolute paths in the order of their names. Not all of them need be agents. */
export function findAgentFiles(projectDir: string): string[] {
  const names = fs.globSync(usualPlaces, { cwd: projectDir }).filter((name) => !skippedFolders.test(name));
  return [...new Set(names)].toSorted().map((name) => resolve(projectDir, name));
}

/** Reads the scope of rules for an agent's runs, or for runs without an agent. A file that cannot be read may have any tool. */
export async function readPolicyScope(projectDir: string, agent?: string): Promise<PolicyScope> {
  const files = await Promise.all(findAgentFiles(projectDir).map(readOutline));
  const outlines = files.filter((outline) => outline !== undefined);
  return {
    agent,
    agents: outlines.flatMap(({ name }) => (name === undefined ? [] : [name])),
    tools: [...new Set(outlines.flatMap(({ tools }) => tools))],
    hasUnknownTools: outlines.some(({ hasUnknownTools }) => hasUnknownTools),
  };
}

interface AgentOutline {
  readonly name?: string | undefined;
  readonly tools: readonly string[];
  readonly hasUnknownTools: boolean;
}

/** The kinds of entries with one tool, named like the entry. Other kinds have several tools, or the tools of a server. */
const namedByEntry = ["function", "documents", "vectorstore", "hierarchical_document", "agent", "acp"];

async function readOutline(path: string): Promise<AgentOutline | undefined> {
  const content = await readContent(path);
  if (content === undefined) return { tools: [], hasUnknownTools: true };
  if (!("instructions" in content && "name" in content)) return undefined; // not an agent
  const { name, tools = [], skills } = content;
  const entries = (Array.isArray(tools) ? tools : []).filter(isPlainObject);
  const named = entries.filter(({ type }) => typeof type === "string" && namedByEntry.includes(type));
  const names = named.flatMap(({ name: own }) =>
    typeof own === "string" && own.trim() !== "" ? [normaliseToolName(own)] : [],
  );
  const isIncomplete = names.length < entries.length || Object.keys(content).some((key) => key === "include");
  // With a block for its host, an agent may have tools of that host.
  return {
    name: typeof name === "string" ? name : undefined,
    tools: skills === undefined ? names : [...names, "load_skill"],
    hasUnknownTools: isIncomplete || agentBlocks().some(({ block }) => block.key in content),
  };
}

async function readContent(path: string): Promise<Record<string, unknown> | undefined> {
  if (isForeignLink(path)) return undefined;
  try {
    const { parse } = await import("yaml"); // a project without rules does not need it
    const content: unknown = parse(await readTextFile(path), { logLevel: "silent" });
    return isPlainObject(content) ? content : {};
  } catch {
    return undefined;
  }
}
