/** Loads the files of agents that are tools of other agents. */
import { resolve } from "node:path";
import { isOutside, realPath, shownPath } from "@bridle/project";
import { ConfigError, defaultNestedDepth } from "@bridle/protocol";
import type { AgentDefinition } from "../definition/agent-definition.ts";
import { AgentFileError } from "../definition/agent-file-error.ts";
import { loadAgent } from "../definition/load-agent.ts";
import { hideContent } from "../definition/outside-files.ts";

/** An agent's definition, and the files that lead to the agent, outermost first. The last file is the agent's own. */
export interface AgentChain {
  readonly definition: AgentDefinition;
  readonly files: readonly string[];
  /** How many more levels of agents may follow. */
  readonly depthLeft: number;
  /** The file whose `max_depth` limits the levels. */
  readonly limitedBy: string;
  /** Shared by all chains that begin with the same file. */
  readonly tree: AgentTree;
}

/**
 * Counts all agents below the outermost one. An agent is opened for each entry that names it, so their number can double with each level.
 */
class AgentTree {
  #opened = 0;

  /** Throws ConfigError if there are too many. */
  add(files: readonly string[]): void {
    this.#opened++;
    if (this.#opened <= maxAgents) return;
    const [first = ""] = files;
    throw new ConfigError(
      `${show([first])} leads to more than ${maxAgents} agents, because each entry opens a separate agent: ${show(files)}. Remove entries or levels.`,
      { field: "file" },
    );
  }
}

/** The most agents that are opened below the outermost one. */
const maxAgents = 100;

export function beginChain(definition: AgentDefinition): AgentChain {
  const { path, config } = definition;
  const depthLeft = config.execution?.max_depth ?? defaultNestedDepth;
  return { definition, files: [path], depthLeft, limitedBy: path, tree: new AgentTree() };
}

/**
 * Loads the file of an agent that is a tool of the chain's last agent.
 *
 * @throws ConfigError for a file that leads to itself, with all files on the way, and for too many levels.
 */
export async function loadNested(
  { definition, files, depthLeft, limitedBy, tree }: AgentChain,
  file: string,
): Promise<AgentChain> {
  const { baseDir, environment, trust, toolKinds } = definition;
  const path = resolve(baseDir, file);
  const chain = [...files, path];
  if (files.some((each) => realPath(each) === realPath(path))) {
    throw new ConfigError(`The agent calls itself: ${show(chain)}. Remove one of these entries.`, { field: "file" });
  }
  if (depthLeft <= 0) {
    const remedy = `Remove a level, or raise execution.max_depth in ${show([limitedBy])}.`;
    throw new ConfigError(`The agents are nested too deep: ${show(chain)}. ${remedy}`, { field: "file" });
  }
  const loaded = loadAgent(path, { environment, trust, toolKinds, cwd: process.cwd() });
  const nested = await loaded.catch((error: unknown) => {
    throw isOutside(baseDir, file) ? withoutContentOf(error) : error;
  });
  const own = nested.config.execution?.max_depth ?? Number.POSITIVE_INFINITY;
  const common = { definition: nested, files: chain, tree };
  return own < depthLeft - 1
    ? { ...common, depthLeft: own, limitedBy: path }
    : { ...common, depthLeft: depthLeft - 1, limitedBy };
}

/** Hides the content of a file outside of the folder of the agent that names it, because that file may not be an agent file at all. */
function withoutContentOf(error: unknown): unknown {
  if (!(error instanceof AgentFileError)) return error;
  const [first, ...rest] = error.problems.map(hideContent);
  return first === undefined ? error : new AgentFileError([first, ...rest]);
}

function show(files: readonly string[]): string {
  return files.map((file) => shownPath(file, process.cwd())).join(" → ");
}
