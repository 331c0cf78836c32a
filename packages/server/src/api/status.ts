/** What is configured, whether it works, and what it can use. */
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
import { reply, replyRedacted } from "./replies.ts";

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

const doctor = defineRoute({
  method: "GET",
  path: "/doctor",
  summary: "Checks everything that a run needs, without a request to a model.",
  role: "viewer",
  replies: { 200: doctorSchema },
  async handle({ workspace: { context }, signal }) {
    const { namespace } = context.project;
    const checks = await checkProject({ namespace, live: false, boundary: false, signal }, context);
    return replyRedacted({ context }, { ok: checks.every(({ ok }) => ok !== false), checks });
  },
});

const models = defineRoute({
  method: "GET",
  path: "/models",
  summary: "The models of the project's backend, as the host lists them.",
  role: "viewer",
  replies: { 200: modelsSchema },
  handle: async ({ workspace, signal }) => replyRedacted(workspace, await workspace.context.project.models({ signal })),
});

const limits = defineRoute({
  method: "GET",
  path: "/limits",
  summary: "The usage window that is used up, if one is, and what runs do about it.",
  role: "viewer",
  replies: { 200: usageLimitsSchema },
  handle: async ({ workspace }) => reply(await readUsageLimits(workspace.context.project)),
});

export const statusRoutes: readonly Route[] = [status, doctor, models, limits];
