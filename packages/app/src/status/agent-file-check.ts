import type { Check, Project } from "@bridle/project";
import { isBridleError } from "@bridle/protocol";
import { checkAgentFile, formatProblem } from "../agents/agent-check.ts";
import { agentFileExists, defaultAgentFile, loadAgentFile } from "../agents/load-agent-file.ts";
import type { AppContext } from "../context/app-context.ts";

const identity = { id: "agent", title: "Agent", area: "configuration" } as const;
const remedy = `Correct ${defaultAgentFile}, or the files that it uses. "bridle agent validate" lists every problem of the file.`;

/** Returns the agent file of the folder, if it can be read and has its own rules. */
export async function findRuledAgent(context: AppContext): Promise<string | undefined> {
  if (!agentFileExists(defaultAgentFile, context)) return undefined;
  try {
    const { decidesCalls } = await import("@bridle/agent");
    const { config } = await loadAgentFile(defaultAgentFile, context);
    return config.policy !== undefined || decidesCalls(config) ? defaultAgentFile : undefined;
  } catch (error) {
    if (isBridleError(error)) return undefined; // bridle doctor reports this error
    throw error;
  }
}

/** `backend` is the agent's backend, if the agent file is valid. */
interface CheckedAgent {
  readonly check: Check;
  readonly backend?: string;
}

/**
 * Checks the folder's agent file, if there is one, and its model and credentials. Starts no tool and sends nothing. `project` is undefined
 * if it cannot be opened.
 */
export async function checkAgent(project: Project | undefined, context: AppContext): Promise<CheckedAgent> {
  if (!agentFileExists(defaultAgentFile, context))
    return { check: { ...identity, ok: "skipped", detail: `There is no ${defaultAgentFile} here.` } };
  try {
    const { problems, agent } = await checkAgentFile(defaultAgentFile, context, project);
    if (agent === null)
      return { check: { ...identity, ok: false, detail: problems.map(formatProblem).join("\n"), remedy } };
    const detail = `${defaultAgentFile} is valid: ${agent.name}, on ${agent.backend}; its tools were not opened`;
    return { check: { ...identity, ok: true, detail }, backend: agent.backend };
  } catch (error) {
    if (!isBridleError(error)) throw error;
    return { check: { ...identity, ok: false, detail: error.message, remedy } };
  }
}
