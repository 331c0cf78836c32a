/** Questions about calls that wait for a user, and their answers. */
import {
  answerApproval,
  answeredSchema,
  approvalDecisions,
  approvalScopes,
  decidedApprovalSchema,
  listApprovals,
  listDecidedApprovals,
  listedApprovalSchema,
} from "@bridle/app/approvals";
import type { Workspace } from "@bridle/app/serving";
import { isBridleError, suggestion } from "@bridle/protocol";
import { z } from "zod";
import { describeCaller } from "../http/describe-caller.ts";
import { RequestProblem } from "../http/problem.ts";
import { defineRoute, type Route } from "../http/route.ts";
import { pageLimit, reply } from "./replies.ts";

export const approvalsSchema = z.strictObject({
  approvals: z.array(listedApprovalSchema).describe("Open questions, the oldest first."),
  decided: z.array(decidedApprovalSchema).describe("The newest answers, the newest first, if they were asked for."),
});

const list = defineRoute({
  method: "GET",
  path: "/approvals",
  summary: "Lists the open questions about calls, and the newest answers.",
  role: "viewer",
  query: z.strictObject({
    state: z.enum(["open", "decided", "all"]).optional().describe("Default: open."),
    session: z.string().optional().describe("Only questions of this session, and of the runs that it has called."),
    limit: pageLimit(200).describe("The most answers. Open questions are all listed."),
  }),
  replies: { 200: approvalsSchema },
  async handle({ workspace: { eventLog }, query: { state = "open", session, limit } }) {
    const open = state === "decided" ? [] : await listApprovals(eventLog);
    const decided = state === "open" ? [] : await listDecidedApprovals(eventLog, limit);
    const isWanted = (each: { readonly session: string | null; readonly callers?: readonly string[] }) =>
      session === undefined || each.session === session || (each.callers?.includes(session) ?? false);
    return reply({ approvals: open.filter(isWanted), decided: decided.filter(isWanted) });
  },
});

const read = defineRoute({
  method: "GET",
  path: "/approvals/{approval}",
  summary: "An open question, with the input and the preview of its call.",
  role: "viewer",
  replies: { 200: listedApprovalSchema },
  async handle({ workspace, names: { approval = "" } }) {
    return reply(await findOpen(workspace, approval));
  },
});

/** Finds an open question. Throws if it is already answered, or was never asked. */
async function findOpen({ eventLog }: Pick<Workspace, "eventLog">, id: string) {
  const open = await listApprovals(eventLog);
  const found = open.find((each) => each.id === id);
  if (found) return found;
  const decided = await listDecidedApprovals(eventLog, Number.POSITIVE_INFINITY);
  const answer = decided.find((each) => each.id === id) ?? (await eventLog.approvals.answerTo(id));
  if (answer)
    throw settled(id, (answer.by ?? null) === null ? "" : ` ${answer.by} has answered it: ${answer.decision}.`);
  const ids = open.map((each) => each.id);
  throw new RequestProblem(404, "no-such-approval", `There is no question "${id}".${suggestion(id, ids)}`);
}

/** Converts the NotFoundError for an unknown question to a 404. */
function toNotFound(error: unknown): never {
  if (isBridleError(error) && error.code === "not_found")
    throw new RequestProblem(404, "no-such-approval", error.message);
  throw error;
}

function settled(id: string, by = ""): RequestProblem {
  return new RequestProblem(
    409,
    "approval-settled",
    `The question ${id} is settled already, and nothing was changed.${by}`,
  );
}

export const answerSchema = z.strictObject({
  inputHash: z.string().min(1).describe("The hash of the input that the person saw."),
  decision: z.enum(approvalDecisions).describe("deny ends the call, deny-and-stop the run."),
  scope: z.enum(approvalScopes).optional().describe("How long the answer applies to calls of the tool. Default: once."),
  when: z
    .record(z.string(), z.string().max(1000))
    .optional()
    .describe("Limits a remembered answer to some inputs: fields to regular expressions."),
  message: z.string().max(10_000).optional().describe("Sent to the model."),
  input: z.unknown().optional().describe("Runs the call with this input instead."),
});

const answer = defineRoute({
  method: "POST",
  path: "/approvals/{approval}/answer",
  summary: "Answers a question. The first answer counts.",
  role: "operator",
  body: answerSchema,
  replies: { 200: answeredSchema },
  async handle({ workspace: { eventLog, context }, names: { approval = "" }, body, caller }) {
    const { input, ...rest } = body;
    const given = { ...rest, ...(input !== undefined && { input }), by: describeCaller(caller) };
    const asked = (await listApprovals(eventLog)).find((each) => each.id === approval);
    const answered = await answerApproval(approval, given, eventLog, context.project.permissions()).catch(toNotFound);
    if (answered.outcome === "settled") throw settled(approval);
    if (answered.outcome === "input-changed") {
      const detail = `The question ${approval} is about another input than the one that was shown. Read it again.`;
      throw new RequestProblem(409, "input-changed", detail, { inputHash: asked?.inputHash });
    }
    return reply(answered);
  },
});

export const approvalRoutes: readonly Route[] = [list, read, answer];
