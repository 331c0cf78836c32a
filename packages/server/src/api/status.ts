/** The configuration, the results of the checks, and the available models. */

import type { Workspace } from "@bridle/app/serving";
import {
  checkProject,
  dailyCostsSchema,
  doctorSchema,
  knownWindowsSchema,
  modelsSchema,
  projectProcessesSchema,
  readDailyCosts,
  readKnownWindows,
  readProjectProcesses,
  readUsageLimits,
  statusSchema,
  usageLimitsSchema,
} from "@bridle/app/status";
import { z } from "zod";
import { defineRoute, type Route } from "../http/route.ts";
import { createBoundaryRoutes } from "./boundary.ts";
import { KeptReplies } from "./kept-replies.ts";
import { numberInQuery, reply, replyRedacted } from "./replies.ts";

type Doctor = z.output<typeof doctorSchema>;
type Models = z.output<typeof modelsSchema>;

export const statusReplySchema = z.strictObject({
  version: z.string(),
  project: statusSchema,
  agents: z.array(z.string()),
  /** Whether a script replaces every model of this server. */
  rehearsed: z.boolean(),
  caller: z.strictObject({ name: z.string(), role: z.enum(["viewer", "operator"]) }),
});

const status = defineRoute({
  method: "GET",
  path: "/status",
  summary: "The configuration in use. Sends no request to a host.",
  role: "viewer",
  replies: { 200: statusReplySchema },
  async handle({ workspace: { context, agents, rehearse }, caller: { name, role } }) {
    const { project, environmentFile = null, version } = context;
    return reply({
      version,
      project: { ...(await project.status()), environmentFile },
      agents: agents.list().map(({ id }) => id),
      rehearsed: rehearse !== undefined,
      caller: { name, role },
    });
  },
});

/** How long checks and lists of models are cached, in milliseconds. Both send requests to hosts and servers. */
const keptMs = 15_000;

/** The timeout of the checks, in milliseconds. */
const checksMs = 120_000;

async function check({ context }: Workspace): Promise<Doctor> {
  const { namespace } = context.project;
  const signal = AbortSignal.timeout(checksMs);
  const checks = await checkProject({ namespace, live: false, boundary: false, signal }, context);
  return { ok: checks.every(({ ok }) => ok !== false), checks };
}

function createKeptRoutes(): readonly Route[] {
  const checked = new KeptReplies<Doctor>(keptMs);
  const listed = new KeptReplies<Models>(keptMs);
  const doctor = defineRoute({
    method: "GET",
    path: "/doctor",
    summary: "Checks everything that a run needs, without a request to a model. The result is kept for 15 seconds.",
    role: "viewer",
    replies: { 200: doctorSchema },
    handle: async ({ workspace }) => replyRedacted(workspace, await checked.of(workspace, "", () => check(workspace))),
  });
  const models = defineRoute({
    method: "GET",
    path: "/models",
    summary: "The models of the project's backend, as the host lists them. The list is kept for 15 seconds.",
    role: "viewer",
    replies: { 200: modelsSchema },
    async handle({ workspace }) {
      const list = () => workspace.context.project.models({ signal: AbortSignal.timeout(checksMs) });
      return replyRedacted(workspace, await listed.of(workspace, "", list));
    },
  });
  return [doctor, models];
}

export const limitsReplySchema = usageLimitsSchema.extend({ windows: knownWindowsSchema });

const limits = defineRoute({
  method: "GET",
  path: "/limits",
  summary: "The usage windows that are used up or that hosts have warned of, and what runs do then.",
  role: "viewer",
  replies: { 200: limitsReplySchema },
  async handle({ workspace: { context, eventLog } }) {
    return reply({ ...(await readUsageLimits(context.project)), windows: await readKnownWindows(eventLog) });
  },
});

const timeZone = z.string().max(100).refine(isTimeZone, "must be the name of a time zone, such as Europe/Berlin");

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

const costs = defineRoute({
  method: "GET",
  path: "/costs",
  summary: "The costs of recorded runs by day and backend, as reported by hosts.",
  role: "viewer",
  query: z.strictObject({
    days: numberInQuery.pipe(z.int().min(1).max(90)).optional().describe("The newest days. Default: 14."),
    timeZone: timeZone.optional().describe("Where days begin, such as Europe/Berlin. Default: UTC."),
  }),
  replies: { 200: dailyCostsSchema },
  handle: async ({ workspace: { eventLog }, query: { days = 14, timeZone = "UTC" } }) =>
    reply(await readDailyCosts(eventLog, { days, timeZone })),
});

const processes = defineRoute({
  method: "GET",
  path: "/processes",
  summary: "The process of this server, and the runs that this and other processes have in progress in the project.",
  role: "viewer",
  replies: { 200: projectProcessesSchema },
  handle: async ({ workspace: { context, eventLog, runs } }) =>
    reply(await readProjectProcesses(context, eventLog, (run) => runs.has(run))),
});

export function createStatusRoutes(): readonly Route[] {
  return [status, ...createKeptRoutes(), ...createBoundaryRoutes(), limits, costs, processes];
}
