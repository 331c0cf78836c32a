import { basename, dirname, extname, relative, resolve } from "node:path";
import { readTextFile } from "@bridle/core";
import { findAgentFiles, isForeignLink } from "@bridle/project";
import { InvalidRequestError, isPlainObject, suggestion } from "@bridle/protocol";
import { parse } from "yaml";
import { defaultAgentFile, requireAgentFile } from "../agents/load-agent-file.ts";
import type { ProjectContext } from "../context/project-context.ts";
import { NotServedError } from "./serving-errors.ts";
import type { ServedAgent, ServedAgents } from "./workspace.ts";

/** The only agent of a project without agent files: the project's model, without tools. */
const projectModel: ServedAgent = {
  id: "model",
  name: "model",
  description: "The model of the project, without instructions and tools.",
  file: undefined,
};

/**
 * Finds the agents to serve: those in the given files, or else those in the usual places, or else the project's model. Throws ConfigError
 * if a given file does not exist.
 */
export async function findServedAgents(
  files: readonly string[],
  context: Pick<ProjectContext, "cwd" | "project">,
): Promise<ServedAgents> {
  const { projectDir } = context.project;
  for (const file of files) requireAgentFile(file, context, { command: "bridle serve --agent", subCommands: [] });
  const paths = files.length > 0 ? files.map((file) => resolve(context.cwd, file)) : findAgentFiles(projectDir);
  const agents = await Promise.all(paths.map((path) => outlineAgent(path, projectDir)));
  const isNamed = files.length > 0;
  return new AgentList(agents.filter((agent) => isNamed || agent.isAgent).map(({ outline }) => outline));
}

/** Reads the name and the description from a file. Other errors in the file are reported when it is opened. */
async function outlineAgent(
  path: string,
  projectDir: string,
): Promise<{ readonly isAgent: boolean; readonly outline: ServedAgent }> {
  const content = isForeignLink(path) ? {} : parseSilently(await readTextFile(path).catch(() => ""));
  const { name, description } = content;
  const id = agentId(relative(projectDir, path));
  return {
    isAgent: "instructions" in content && "name" in content,
    outline: {
      id,
      name: typeof name === "string" ? name : id,
      description: typeof description === "string" ? description : undefined,
      file: relative(projectDir, path),
    },
  };
}

function parseSilently(text: string): Record<string, unknown> {
  try {
    const content: unknown = parse(text, { logLevel: "silent" });
    return isPlainObject(content) ? content : {};
  } catch {
    return {};
  }
}

/** Returns the id for a file: `desk` for `agents/desk.yaml` and `desk/agent.yaml`, `agent` for `agent.yaml`. */
function agentId(file: string): string {
  const ownName = basename(file, extname(file)).replace(/\.agent$/, "");
  const folder = basename(dirname(file));
  const isNamedByFolder = basename(file) === defaultAgentFile && folder !== "." && folder !== "" && folder !== "..";
  const plain = (isNamedByFolder ? folder : ownName).replaceAll(/[^A-Za-z0-9_-]+/g, "-").replace(/^[-_]+/, "");
  return plain.slice(0, 60) || "agent";
}

class AgentList implements ServedAgents {
  readonly #agents = new Map<string, ServedAgent>();

  constructor(agents: readonly ServedAgent[]) {
    for (const agent of agents.length > 0 ? agents : [projectModel]) {
      const id = this.#freeId(agent.id);
      this.#agents.set(id, { ...agent, id });
    }
  }

  list(): readonly ServedAgent[] {
    return [...this.#agents.values()];
  }

  get(id: string): ServedAgent {
    const agent = this.#agents.get(id);
    if (agent !== undefined) return agent;
    const known = [...this.#agents.keys()];
    throw new NotServedError(`There is no agent "${id}".${suggestion(id, known)} Served: ${known.join(", ")}.`);
  }

  choose(id: string | undefined): ServedAgent {
    if (id !== undefined) return this.get(id);
    const [agent, ...others] = this.list();
    if (agent !== undefined && others.length === 0) return agent;
    throw new InvalidRequestError(`Name the agent. Served: ${[...this.#agents.keys()].join(", ")}.`);
  }

  /** Returns the id, with a number if another agent already has the id. */
  #freeId(id: string): string {
    for (let number = 1; ; number += 1) {
      const candidate = number === 1 ? id : `${id}-${number}`;
      if (!this.#agents.has(candidate)) return candidate;
    }
  }
}
