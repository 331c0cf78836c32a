/** Tests of agents: running their cases, and reading and comparing the results. */
import type { Workspace } from "@bridle/app/serving";
import {
  caseResultSchema,
  compareTestRuns,
  comparisonSchema,
  listTestRuns,
  readTestResult,
  type TestRun,
  testRunHeadlineSchema,
  testRunOverviewSchema,
  testRunSchema,
  toOverview,
} from "@bridle/app/tests";
import { isBridleError, suggestion } from "@bridle/protocol";
import { z } from "zod";
import { RequestProblem } from "../http/problem.ts";
import { defineRoute, type Route } from "../http/route.ts";
import { requireFile } from "./agents.ts";
import { findAgent } from "./find-resources.ts";
import { pageLimit, parseCursor, reply, toCursor } from "./replies.ts";
import { readKey } from "./request-key.ts";
import { TestJobs } from "./test-jobs.ts";
import { streamTestProgress } from "./test-progress.ts";

/** The id of a test run. Paths of results files are not accepted here, although the command accepts them. */
const idPattern = /^(\d{8}-\d{6}-[0-9a-z]{4}|newest|previous)$/;
const testRunId = z.string().regex(idPattern, "must be the id of a test run, newest or previous");

async function read({ context }: Workspace, id: string): Promise<TestRun> {
  if (!idPattern.test(id)) throw notFound(id);
  try {
    return await readTestResult(id, context);
  } catch (error) {
    if (isBridleError(error) && error.code === "config") throw notFound(id);
    throw error;
  }
}

function notFound(id: string): RequestProblem {
  return new RequestProblem(404, "no-such-test-run", `There is no test run "${id}". "bridle test history" lists them.`);
}

/** Creates the problem with which a server that runs no tools rejects tests, because tests open the agent's tools. */
function noToolsRun(): RequestProblem {
  const detail = "This server runs no tools, so it runs no tests. Start it without --no-tools-run.";
  return new RequestProblem(403, "no-tools-run", detail);
}

export const testRunPageSchema = z.strictObject({ runs: z.array(testRunHeadlineSchema), next: z.string().nullable() });

const list = defineRoute({
  method: "GET",
  path: "/tests/runs",
  summary: "Lists the test runs of the project, newest first.",
  role: "viewer",
  query: z.strictObject({
    agent: z.string().optional().describe("Only those of this agent."),
    cursor: z.string().optional(),
    limit: pageLimit(200),
  }),
  replies: { 200: testRunPageSchema },
  async handle({ workspace, query: { agent, cursor, limit } }) {
    const { project } = workspace.context;
    await project.requireOwnState();
    const before = parseCursor(cursor, z.string());
    const name = agent === undefined ? undefined : findAgent(workspace, agent).name;
    const last = name === undefined ? limit + 1 : Number.POSITIVE_INFINITY;
    const all = listTestRuns(project.testRunsFolder, { last, before, onUnreadable() {} });
    const found = all.filter((run) => name === undefined || run.agent === name);
    const runs = found.slice(0, limit);
    return reply({ runs, next: found.length > limit ? toCursor(runs.at(-1)?.id) : null });
  },
});

const readRun = defineRoute({
  method: "GET",
  path: "/tests/runs/{id}",
  summary: "A test run with every case, trial and score, even while it is in progress.",
  role: "viewer",
  replies: { 200: testRunSchema },
  handle: async ({ workspace, names: { id = "" } }) => reply(await read(workspace, id)),
});

const readOverview = defineRoute({
  method: "GET",
  path: "/tests/runs/{id}/overview",
  summary: "A test run with the outcome of every trial, without the texts of the conversations.",
  role: "viewer",
  replies: { 200: testRunOverviewSchema },
  handle: async ({ workspace, names: { id = "" } }) => reply(toOverview(await read(workspace, id))),
});

const readCase = defineRoute({
  method: "GET",
  path: "/tests/runs/{id}/case",
  summary: "A case of a test run with every trial and score.",
  role: "viewer",
  query: z.strictObject({ name: z.string() }),
  replies: { 200: caseResultSchema },
  async handle({ workspace, names: { id = "" }, query: { name } }) {
    const { cases } = await read(workspace, id);
    const found = cases.find((each) => each.name === name);
    if (found) return reply(found);
    const near = suggestion(
      name,
      cases.map((each) => each.name),
    );
    throw new RequestProblem(404, "no-such-case", `The test run ${id} has no case "${name}".${near}`);
  },
});

const compare = defineRoute({
  method: "GET",
  path: "/tests/compare",
  summary: "Compares two test runs: the changes, and whether they are larger than chance.",
  role: "viewer",
  query: z.strictObject({ a: testRunId.describe("The earlier one."), b: testRunId.describe("The later one.") }),
  replies: { 200: comparisonSchema },
  async handle({ workspace, query: { a, b } }) {
    return reply(compareTestRuns(await read(workspace, a), await read(workspace, b)));
  },
});

const startSchema = z.strictObject({
  agent: z.string(),
  cases: z.array(z.string()).min(1).max(1000).optional().describe("The names of the cases. Default: all."),
  trials: z.int().min(1).max(100).optional().describe("How often each case runs. Default: 1."),
  parallel: z.int().min(1).max(16).optional().describe("Trials at the same time."),
});
export const startedTestsSchema = z.strictObject({ id: z.string(), rehearsed: z.boolean() });

export function createTestRoutes(): readonly Route[] {
  const jobs = new WeakMap<Workspace, TestJobs>();
  const jobsOf = (workspace: Workspace): TestJobs => {
    const own = jobs.get(workspace) ?? new TestJobs(workspace);
    jobs.set(workspace, own);
    return own;
  };
  return [list, readRun, readOverview, readCase, compare, ...createJobRoutes(jobsOf)];
}

function createJobRoutes(jobsOf: (workspace: Workspace) => TestJobs): readonly Route[] {
  const start = defineRoute({
    method: "POST",
    path: "/tests/runs",
    summary: "Runs the test cases of an agent. Destructive tools are denied.",
    role: "operator",
    body: startSchema,
    replies: { 202: startedTestsSchema },
    async handle({ workspace, body: { agent, ...plan }, headers, caller }) {
      const file = requireFile(findAgent(workspace, agent));
      if (!workspace.runsTools) throw noToolsRun();
      const key = readKey(headers, caller, { agent, ...plan });
      const begin = () => jobsOf(workspace).start({ file, ...plan });
      const id = await workspace.once(key, { kind: "tests", resultSchema: z.string(), begin });
      return reply({ id, rehearsed: workspace.rehearse !== undefined }, 202, { location: `/api/v1/tests/runs/${id}` });
    },
  });
  const events = defineRoute({
    method: "GET",
    path: "/tests/runs/{id}/events",
    summary: "The progress of a test run as server-sent events: run, progress, bye.",
    role: "viewer",
    replies: { 200: null },
    query: z.strictObject({
      overview: z.enum(["0", "1"]).optional().describe("1: without the texts of the conversations."),
    }),
    streams: () => true,
    async handle({ workspace, names: { id = "" }, query, signal }) {
      await read(workspace, id);
      const isOverview = query.overview === "1";
      const stream = streamTestProgress(id, jobsOf(workspace), () => read(workspace, id), { isOverview, signal });
      return { status: 200, stream, contentType: "text/event-stream" };
    },
  });
  const stop = defineRoute({
    method: "POST",
    path: "/tests/runs/{id}/stop",
    summary: "Stops a test run of this server. The results of finished trials are kept.",
    role: "operator",
    body: z.strictObject({}).optional(),
    replies: { 202: z.strictObject({ id: z.string(), stopping: z.literal(true) }) },
    async handle({ workspace, names: { id = "" } }) {
      const run = await read(workspace, id);
      if (jobsOf(workspace).stop(run.id)) return reply({ id: run.id, stopping: true }, 202);
      const where = run.state === "running" ? "is in progress in another process. Stop it there" : "has ended already";
      throw new RequestProblem(409, "not-in-progress", `The test run ${run.id} ${where}.`);
    },
  });
  return [start, events, stop];
}
