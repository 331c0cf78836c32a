/** Remembered answers about whether a tool may run without a question. */
import { listedPermissionSchema, listPermissions, removeRememberedAnswer } from "@bridle/app/permissions";
import { z } from "zod";
import { RequestProblem } from "../http/problem.ts";
import { defineRoute, type Route } from "../http/route.ts";
import { reply } from "./replies.ts";

export const permissionsSchema = z.strictObject({ permissions: z.array(listedPermissionSchema) });

const list = defineRoute({
  method: "GET",
  path: "/permissions",
  summary: "Lists the remembered answers of this user: for the project, and for all projects.",
  role: "viewer",
  replies: { 200: permissionsSchema },
  async handle({ workspace: { context } }) {
    return reply({ permissions: await listPermissions(context.project.permissionFiles) });
  },
});

const remove = defineRoute({
  method: "DELETE",
  path: "/permissions/{permission}",
  summary: "Removes a remembered answer. From now on, Bridle asks the person again.",
  role: "operator",
  replies: { 200: listedPermissionSchema },
  async handle({ workspace: { context }, names: { permission = "" } }) {
    const files = context.project.permissionFiles;
    const known = await listPermissions(files);
    if (known.some(({ id }) => id === permission)) return reply(await removeRememberedAnswer(permission, files));
    throw new RequestProblem(404, "no-such-permission", `No remembered answer has the id "${permission}".`);
  },
});

export const permissionRoutes: readonly Route[] = [list, remove];
