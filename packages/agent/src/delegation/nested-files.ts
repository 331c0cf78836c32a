/** The files of agents that are tools of other agents. */
import { resolve } from "node:path";
import { realPath, shownPath } from "@bridle/project";
import { ConfigError, defaultNestedDepth } from "@bridle/protocol";
import type { AgentDefinition } from "../definition/agent-definition.ts";
import { loadAgent } from "../definition/load-agent.ts";

/** A definition, and the files that lead to it, outermost first. It is the last of them. */
export interface AgentChain {
  readonly definition: AgentDefinition;
  readonly files: readonly string[];
  /** The levels of agents that may follow. */
  readonly depthLeft: number;
}

export function beginChain(definition: AgentDefinition): AgentChain {
  return {
    definition,
    files: [definition.path],
    depthLeft: definition.config.execution?.max_depth ?? defaultNestedDepth,
  };
}

/**
 * Loads the file of an agent that is a tool of the last one.
 *
 * @throws ConfigError for a file that leads to itself, with all files on the way, and for too many levels.
 */
export async function loadNested({ definition, files, depthLeft }: AgentChain, file: string): Promise<AgentChain> {
  const { baseDir, environment, trust, toolKinds } = definition;
  const path = resolve(baseDir, file);
  const chain = [...files, path];
  if (files.some((each) => realPath(each) === realPath(path))) {
    throw new ConfigError(`The agent calls itself: ${show(chain)}. Remove one of these entries.`, { field: "file" });
  }
  if (depthLeft <= 0) {
    const remedy = "Remove a level, or raise execution.max_depth in the first file.";
    throw new ConfigError(`The agents are nested too deep: ${show(chain)}. ${remedy}`, { field: "file" });
  }
  const nested = await loadAgent(path, { environment, trust, toolKinds, cwd: process.cwd() });
  const own = nested.config.execution?.max_depth ?? Number.POSITIVE_INFINITY;
  return { definition: nested, files: chain, depthLeft: Math.min(depthLeft - 1, own) };
}

/** Checks the nested agents of a definition, and theirs. Opens nothing. Throws ConfigError for the first problem. */
export async function checkNested(chain: AgentChain, file: string): Promise<void> {
  const nested = await loadNested(chain, file);
  for (const entry of nested.definition.config.tools ?? []) {
    if (entry.type === "agent" && typeof entry.file === "string") await checkNested(nested, entry.file);
  }
}

function show(files: readonly string[]): string {
  return files.map((file) => shownPath(file, process.cwd())).join(" → ");
}
