/** What is configured, whether it works, and what it can use. */

import type { Workspace } from "@bridle/app/serving";
import {
  checkProject,
  doctorSchema,
  modelsSchema,
  readUsageLimits,
  statusSchema,
  usageLimitsSchema,
} from "@bridle/app/status";
import { z } from "zod";
import { defineRoute, type Route } from "../http/route.ts";
import { KeptReplies } from "./kept-replies.ts";
import { reply, replyRedacted } from "./replies.ts";

type Doctor = z.output<typeof doctorSchema>;
type Models = z.output<typeof modelsSchema>;

export const statusReplySchema = z.strictObject({
  version: z.string(),
  project: statusSchema,
  agents: z.array(z.string()),
  caller: z.strictObject({ name: z.string(), role: z.enum(["viewer", "operator"]) }),
});

const status = defineRoute({
  method: "GET",
  path: "/status",
  summary: "What is configured and used. Asks no host.",
  role: "viewer",
  replies: { 200: statusReplySchema },
  async handle({ workspace: { context, agents }, caller: { name, role } }) {
    const { project, environmentFile = null, version } = context;
    return reply({
      version,
      project: { ...(await project.status()), environmentFile },
      agents: agents.list().map(({ id }) => id),
      caller: { name, role },
    });
  },
});

/** Milliseconds for which checks and lists of models are kept: hosts and servers are asked for them. */
const keptMs = 15_000;

/** Milliseconds after which checks are given up. */
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

const limits = defineRoute({
  method: "GET",
  path: "/limits",
  summary: "The usage window that is used up, if one is, and what runs do about it.",
  role: "viewer",
  replies: { 200: usageLimitsSchema },
  handle: async ({ workspace }) => reply(await readUsageLimits(workspace.context.project)),
});

export function createStatusRoutes(): readonly Route[] {
  return [status, ...createKeptRoutes(), limits];
}
