/** The API of the agents that this server runs. */
import {
  type AgentCheck,
  type AgentDescription,
  agentCheckSchema,
  agentDescriptionSchema,
  checkAgentFile,
  describeAgentFile,
  formatProblem,
  problemLinesSchema,
  readProblemLines,
} from "@bridle/app/agents";
import { agentRulesSchema, describeAgentRules } from "@bridle/app/rules";
import type { ServedAgent, Workspace } from "@bridle/app/serving";
import { silentLogger } from "@bridle/protocol";
import { z } from "zod";
import { RequestProblem } from "../http/problem.ts";
import { defineRoute, type RequestSender, type Route } from "../http/route.ts";
import { findAgent } from "./find-resources.ts";
import { KeptReplies } from "./kept-replies.ts";
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
  rules: agentRulesSchema.describe("In evaluation order. None: every call is allowed."),
});

export const agentChecksSchema = z.strictObject({
  agents: z.array(
    z.strictObject({
      id: z.string(),
      ok: z.boolean(),
      problem: z.string().nullable().describe("The first problem of its file, with its place."),
    }),
  ),
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

/** How long a description is cached, in milliseconds. Creating a description starts the servers of the agent's tools. */
const keptMs = 10_000;

/** Describes an agent. Its tools are not opened for viewers, because that would start servers. */
function describeFile(workspace: Workspace, file: string, { role }: RequestSender): Promise<AgentDescription> {
  const unopened = role === "viewer" ? "a token that only reads starts none" : undefined;
  const { rehearse } = workspace;
  return describeAgentFile(file, inProject(workspace), { logger: silentLogger, unopened, rehearse });
}

/** Checks an agent. In a rehearsal, a script replaces the host, so missing host features are not problems. */
function checkInProject(workspace: Workspace, file: string, text?: string): Promise<AgentCheck> {
  const { rehearse, context } = workspace;
  return checkAgentFile(file, inProject(workspace), context.project, { text, rehearse });
}

/** Returns a context in which the paths of agent files are relative to the project. */
function inProject({ context }: Pick<Workspace, "context">) {
  return { ...context, cwd: context.project.projectDir };
}

export const agentProblemsSchema = agentCheckSchema.extend({
  lines: problemLinesSchema.describe("The lines of the file around its problems."),
});

const checkFile = defineRoute({
  method: "GET",
  path: "/agents/{agent}/check",
  summary: "Checks the current file of an agent, and lists the wrong lines. Starts nothing.",
  role: "viewer",
  replies: { 200: agentProblemsSchema },
  async handle({ workspace, names: { agent = "" } }) {
    const file = requireFile(findAgent(workspace, agent));
    const checked = await checkInProject(workspace, file);
    const lines = await readProblemLines(file, checked, inProject(workspace));
    return replyRedacted(workspace, { ...checked, lines });
  },
});

const textSchema = z.strictObject({
  text: z.string().max(500_000).describe("The content of the agent file that is checked."),
});

const validate = defineRoute({
  method: "POST",
  path: "/agents/{agent}/validate",
  summary:
    "Checks a text as the content of an agent file, and lists each problem with its line. Changes and starts nothing.",
  role: "operator",
  body: textSchema,
  replies: { 200: agentCheckSchema },
  async handle({ workspace, names: { agent = "" }, body: { text } }) {
    const file = requireFile(findAgent(workspace, agent));
    return replyRedacted(workspace, await checkInProject(workspace, file, text));
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

async function checkAgents(workspace: Workspace): Promise<z.output<typeof agentChecksSchema>> {
  const agents = await Promise.all(
    workspace.agents.list().map(async ({ id, file }) => {
      if (file === undefined) return { id, ok: true, problem: null };
      const { ok, problems } = await checkInProject(workspace, file);
      return { id, ok, problem: problems[0] === undefined ? null : formatProblem(problems[0]) };
    }),
  );
  return { agents };
}

export function createAgentRoutes(): readonly Route[] {
  const descriptions = new KeptReplies<AgentDescription>(keptMs);
  const checks = new KeptReplies<z.output<typeof agentChecksSchema>>(keptMs);
  const check = defineRoute({
    method: "GET",
    path: "/agent-checks",
    summary: "Shows whether each agent file is valid now. Starts nothing.",
    role: "viewer",
    replies: { 200: agentChecksSchema },
    handle: async ({ workspace }) =>
      replyRedacted(workspace, await checks.of(workspace, "all", () => checkAgents(workspace))),
  });
  const read = defineRoute({
    method: "GET",
    path: "/agents/{agent}",
    summary:
      "Describes the model, tools, rules and limits of an agent. Opens its tools for that, if the token has the role operator.",
    role: "viewer",
    replies: { 200: agentDetailSchema },
    async handle({ workspace, names, caller }) {
      const agent = findAgent(workspace, names.agent ?? "");
      const { id, file } = agent;
      const describeOnce = (path: string) =>
        descriptions.of(workspace, `${caller.role} ${id}`, () => describeFile(workspace, path, caller));
      const details = file === undefined ? null : await describeOnce(file);
      const rules = await describeAgentRules(file, inProject(workspace));
      return replyRedacted(workspace, { ...describe(agent), details, rules });
    },
  });
  return [list, check, read, checkFile, validate];
}
