/** Runs: starting, reading and stopping them. A run belongs to the server, so it continues if a connection ends. */
import { streamBundle } from "@bridle/app/bundles";
import { describeRunDetail, runDetailSchema } from "@bridle/app/sessions";
import { z } from "zod";
import { RequestProblem } from "../http/problem.ts";
import { defineRoute, type Route } from "../http/route.ts";
import { findAgent, findRun, requireKnownSession } from "./find-resources.ts";
import { pageLimit, parseCursor, reply, toCursor } from "./replies.ts";
import { readKey } from "./request-key.ts";
import { readChoices, startRunSchema, toPrompt } from "./run-request.ts";

export const startedRunSchema = z.strictObject({
  runId: z.string(),
  sessionId: z.string(),
  firstSeq: z.int().positive().describe("The number of the run's first event in its session."),
});

const start = defineRoute({
  method: "POST",
  path: "/sessions/{session}/runs",
  summary: "Sends a prompt. The run continues after the client disconnects. A session begins with its first run.",
  role: "operator",
  query: z.strictObject({
    wait: z.enum(["0", "1"]).optional().describe("1: an earlier run of the session ends first."),
  }),
  body: startRunSchema,
  takesFiles: true,
  replies: { 202: startedRunSchema },
  async handle({ workspace, names: { session = "" }, query, body, headers, caller }) {
    const started = await workspace.runs.start({
      agent: body.agent && findAgent(workspace, body.agent).id,
      session,
      prompt: toPrompt(body),
      labels: body.labels,
      timeoutMs: body.timeLimit === undefined ? undefined : body.timeLimit * 1000,
      ...readChoices(body, workspace),
      whenBusy: query.wait === "1" ? "wait" : "fail",
      key: readKey(headers, caller, { session, ...body }),
    });
    const { runId, sessionId, firstSeq } = started;
    return reply({ runId, sessionId, firstSeq }, 202, { location: `/api/v1/runs/${runId}` });
  },
});

export const runPageSchema = z.strictObject({ runs: z.array(runDetailSchema), next: z.string().nullable() });
const placeSchema = z.strictObject({ runId: z.string(), sessionId: z.string() });

const list = defineRoute({
  method: "GET",
  path: "/sessions/{session}/runs",
  summary: "Lists the runs of a session, newest first.",
  role: "viewer",
  query: z.strictObject({ cursor: z.string().optional(), limit: pageLimit(100, 20) }),
  replies: { 200: runPageSchema },
  async handle({ workspace, names: { session = "" }, query: { cursor, limit } }) {
    await requireKnownSession(workspace, session);
    const { eventLog } = workspace;
    const after = parseCursor(cursor, placeSchema);
    const found = await eventLog.runs({ sessionId: session, last: limit + 1, ...(after && { after }) });
    const page = found.slice(0, limit);
    const last = page.at(-1);
    return reply({
      runs: await Promise.all(page.map((run) => describeRunDetail(eventLog, run))),
      next: found.length > limit && last ? toCursor({ runId: last.runId, sessionId: session }) : null,
    });
  },
});

const read = defineRoute({
  method: "GET",
  path: "/runs/{run}",
  summary: "Describes a run, with its result once it has ended.",
  role: "viewer",
  replies: { 200: runDetailSchema },
  async handle({ workspace, names: { run = "" } }) {
    await findRun(workspace, run);
    return reply(await describeRunDetail(workspace.eventLog, { runId: run }));
  },
});

const stoppedRunSchema = z.strictObject({ runId: z.string(), stopping: z.literal(true) });

const stop = defineRoute({
  method: "POST",
  path: "/runs/{run}/stop",
  summary: "Stops a run of this server. Its last events show when it has ended.",
  role: "operator",
  body: z.strictObject({ reason: z.string().min(1).max(200).optional() }).optional(),
  replies: { 202: stoppedRunSchema },
  async handle({ workspace, names: { run = "" }, body, caller }) {
    const { newest } = await findRun(workspace, run);
    if (newest.type === "run.finished") throw new RequestProblem(409, "run-ended", `The run ${run} has ended already.`);
    const isStopped = workspace.runs.stop(run, body?.reason ?? `${caller.name} stopped it`);
    if (isStopped) return reply({ runId: run, stopping: true }, 202);
    const detail = `The run ${run} is in progress in another process. Stop it there.`;
    throw new RequestProblem(409, "run-elsewhere", detail);
  },
});

const bundle = defineRoute({
  method: "GET",
  path: "/runs/{run}/bundle",
  summary: "Everything about a run in one archive, without credentials.",
  role: "viewer",
  query: z.strictObject({ artifacts: z.enum(["0", "1"]).optional().describe("1: with whole inputs and results.") }),
  replies: { 200: null },
  streams: () => true,
  async handle({ workspace, names: { run = "" }, query }) {
    await findRun(workspace, run);
    const { eventLog, context } = workspace;
    const stream = streamBundle({ target: { runId: run }, eventLog, artifacts: query.artifacts === "1" }, context);
    return { status: 200, stream: await begin(stream), contentType: "application/gzip", headers: asFile(run) };
  },
});

function asFile(id: string) {
  return { "content-disposition": `attachment; filename="bridle-${id.replaceAll(/[^\w-]/g, "_")}.tar.gz"` };
}

/** Reads the first piece before the reply begins, because after that an error can no longer be reported as a problem. */
async function begin(stream: AsyncGenerator<Uint8Array>): Promise<AsyncIterable<Uint8Array>> {
  const first = await stream.next();
  return (async function* () {
    try {
      if (first.done) return;
      yield first.value;
      yield* stream;
    } finally {
      await stream.return(undefined);
    }
  })();
}

export const runRoutes: readonly Route[] = [start, list, read, stop, bundle];
