/** The agents that this server runs. */
import { agentCheckSchema, agentDescriptionSchema, checkAgentFile, describeAgentFile } from "@bridle/app/agents";
import type { ServedAgent, Workspace } from "@bridle/app/serving";
import { silentLogger } from "@bridle/protocol";
import { z } from "zod";
import { RequestProblem } from "../http/problem.ts";
import { defineRoute, type Route } from "../http/route.ts";
import { findAgent } from "./find-resources.ts";
import { reply, replyRedacted } from "./replies.ts";

const agentSchema = z.strictObject({
  id: z.string().describe("Its name in addresses."),
  name: z.string(),
  description: z.string().nullable(),
  file: z.string().nullable().describe("Relative to the project. null for the project's model."),
});
export const agentListSchema = z.strictObject({ agents: z.array(agentSchema) });
export const agentDetailSchema = agentSchema.extend({
  details: agentDescriptionSchema.nullable().describe("null for the project's model."),
});

const list = defineRoute({
  method: "GET",
  path: "/agents",
  summary: "Lists the agents of this server. Opens none.",
  role: "viewer",
  replies: { 200: agentListSchema },
  handle: async ({ workspace }) => reply({ agents: workspace.agents.list().map(describe) }),
});

function describe({ id, name, description, file }: ServedAgent) {
  return { id, name, description: description ?? null, file: file ?? null };
}

/** Milliseconds for which a description is kept: it starts the servers of the agent's tools. */
const keptMs = 10_000;

/** Descriptions of agents that were made a moment ago, or are being made. */
class Descriptions {
  readonly #made = new WeakMap<
    Workspace,
    Map<string, { readonly at: number; readonly description: Promise<unknown> }>
  >();

  of(workspace: Workspace, { id, file = "" }: ServedAgent): Promise<unknown> {
    const made = this.#made.get(workspace) ?? new Map();
    this.#made.set(workspace, made);
    const known = made.get(id);
    if (known !== undefined && Date.now() - known.at < keptMs) return known.description;
    const description = describeAgentFile(file, inProject(workspace), { logger: silentLogger });
    description.catch(() => made.delete(id));
    made.set(id, { at: Date.now(), description });
    return description;
  }
}

/** Files of agents are relative to the project. */
function inProject({ context }: Pick<Workspace, "context">) {
  return { ...context, cwd: context.project.projectDir };
}

const textSchema = z.strictObject({
  text: z.string().max(500_000).describe("The content of the agent's file that is checked."),
});

const validate = defineRoute({
  method: "POST",
  path: "/agents/{agent}/validate",
  summary:
    "Checks a text as the content of an agent's file, with the line of each problem. Changes and starts nothing.",
  role: "operator",
  body: textSchema,
  replies: { 200: agentCheckSchema },
  async handle({ workspace, names: { agent = "" }, body: { text } }) {
    const file = requireFile(findAgent(workspace, agent));
    const { project } = workspace.context;
    return reply(await checkAgentFile(file, inProject(workspace), project, text));
  },
});

export function requireFile({ id, file }: ServedAgent): string {
  if (file !== undefined) return file;
  throw new RequestProblem(
    409,
    "no-agent-file",
    `${id} is the model of the project, which has no file. Name an agent.`,
  );
}

export function createAgentRoutes(): readonly Route[] {
  const descriptions = new Descriptions();
  const read = defineRoute({
    method: "GET",
    path: "/agents/{agent}",
    summary: "Describes the model, tools, rules and limits of an agent. Opens its tools for that.",
    role: "viewer",
    replies: { 200: agentDetailSchema },
    async handle({ workspace, names }) {
      const agent = findAgent(workspace, names.agent ?? "");
      const details = agent.file === undefined ? null : await descriptions.of(workspace, agent);
      return replyRedacted(workspace, { ...describe(agent), details });
    },
  });
  return [list, read, validate];
}
