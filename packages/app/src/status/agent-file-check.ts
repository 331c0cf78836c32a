import type { AgentDefinition } from "@bridle/agent";
import type { Check, Project } from "@bridle/project";
import { isBridleError } from "@bridle/protocol";
import { checkAgentFile, formatProblem } from "../agents/agent-check.ts";
import { agentFileExists, defaultAgentFile, loadAgentFile } from "../agents/load-agent-file.ts";
import type { AppContext } from "../context/app-context.ts";

const identity = { id: "agent", title: "Agent", area: "configuration" } as const;
const remedy = `Correct ${defaultAgentFile}, or what it needs. "bridle agent validate" lists every problem of the file.`;

/** The checks of a project that depend on the host and the model, which an agent's file can replace. */
const replaceable: readonly string[] = ["models", "credentials", "embeddings"];

/**
 * Checks the agent's file of the folder, if there is one: the file itself, and its model and credentials. Starts no tool and
 * sends nothing. `project` is undefined if it cannot be opened.
 */
export async function checkAgent(project: Project | undefined, context: AppContext): Promise<Check> {
  if (!agentFileExists(defaultAgentFile, context))
    return { ...identity, ok: "skipped", detail: `There is no ${defaultAgentFile} here.` };
  try {
    const { problems } = await checkAgentFile(defaultAgentFile, context);
    if (problems.length > 0) return { ...identity, ok: false, detail: problems.map(formatProblem).join("\n"), remedy };
    const definition = await loadAgentFile(defaultAgentFile, context);
    return project === undefined ? validAgent(definition) : await checkAgentIn(project, definition);
  } catch (error) {
    if (!isBridleError(error)) throw error;
    return { ...identity, ok: false, detail: error.message, remedy };
  }
}

async function checkAgentIn(project: Project, definition: AgentDefinition): Promise<Check> {
  const { openAgentProject } = await import("@bridle/agent");
  const own = await openAgentProject(definition, { project });
  const failure = (await own.doctor()).find(({ id, ok }) => ok === false && replaceable.includes(id));
  if (failure) return { ...identity, ok: false, detail: failure.detail, remedy: failure.remedy ?? remedy };
  return validAgent(definition, own.settings.provider.backend);
}

function validAgent({ config }: AgentDefinition, backend?: string): Check {
  const host = backend === undefined ? "" : `, on ${backend}`;
  const detail = `${defaultAgentFile} is valid: ${config.name}${host}; its tools were not opened`;
  return { ...identity, ok: true, detail };
}
