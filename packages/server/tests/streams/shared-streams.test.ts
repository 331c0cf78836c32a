import { answerApproval, userName } from "@bridle/app/approvals";
import { expect, test } from "vitest";
import { openTestWorkspace } from "../../../app/tests/support/open-test-workspace.ts";
import { streamRoutes } from "../../src/streams/stream-routes.ts";
import { expectedMessages, readMessages, readUntil, type SentMessage } from "../support/read-stream.ts";
import { startTestServer } from "../support/start-test-server.ts";
import { beginSession, writeEnded, writeSession, writeText } from "../support/written-session.ts";

const accept = { accept: "text/event-stream" };

test("one stream has the events of several sessions, and resumes at its place in each", async () => {
  const { workspace } = await openTestWorkspace();
  const server = await startTestServer({ routes: streamRoutes, workspace });
  await writeSession(workspace.eventLog, "a", 300);
  await writeSession(workspace.eventLog, "b", 10);
  const open = (id?: string) =>
    server.fetch("/api/v1/stream?sessions=a,b:4", { headers: { ...accept, ...(id && { "last-event-id": id }) } });
  const first = await readUntil(await open(), ({ id }) => id !== undefined);
  const seen = [...first, ...(await readUntil(await open(first.at(-1)?.id), ({ id }) => id === "a:301,b:11"))];
  for (const [session, from] of [
    ["a", 1],
    ["b", 5],
  ] as const) {
    const events = await workspace.eventLog.read({ sessionId: session, from });
    const own = seen.filter(({ data }) => JSON.parse(data).sessionId === session);
    expect(own.map(({ data }) => data)).toEqual(expectedMessages(events).map(({ data }) => data));
  }
});

test("all viewers of a session see all of it, although fifty others read nothing", async () => {
  const { workspace } = await openTestWorkspace();
  const server = await startTestServer({ routes: streamRoutes, workspace });
  const writer = await beginSession(workspace.eventLog, "s");
  writeText(writer, "s", 2000);
  const leave = new AbortController();
  const open = () => server.fetch("/api/v1/sessions/s/events", { headers: accept, signal: leave.signal });
  const stalled = await Promise.all(Array.from({ length: 50 }, open));
  const viewers = await Promise.all(Array.from({ length: 20 }, open));
  writeText(writer, "s", 1000);
  await writer.close();
  const expected = expectedMessages(await workspace.eventLog.read({ sessionId: "s" }));
  for (const viewer of viewers) expect(await readUntil(viewer, ({ id }) => id === "3001")).toEqual(expected);
  expect(await (await server.fetch("/api/v1/sessions/s/events?limit=1")).json()).toMatchObject({ lastSeq: 3001 });
  leave.abort();
  await Promise.allSettled(stalled.map((response) => response.body?.cancel()));
});

test.each([
  ["of one session", "/sessions/s/events"],
  ["of several sessions", "/stream?sessions=other,s"],
])(
  "a stream %s says goodbye when the session is removed, and never continues with its successor",
  async (_title, path) => {
    const { workspace } = await openTestWorkspace();
    const server = await startTestServer({ routes: streamRoutes, workspace });
    await writeEnded(workspace.eventLog, "s", 4);
    await writeSession(workspace.eventLog, "other", 1);
    const messages = readMessages(await server.fetch(`/api/v1${path}`, { headers: accept }));
    const isOfSession = ({ data }: SentMessage) => JSON.parse(data).sessionId === "s";
    for (let count = 0; count < 6; ) if (isOfSession((await messages.next()).value)) count += 1;
    await workspace.eventLog.removeSession("s");
    workspace.sessions.remove("s");
    await writeEnded(workspace.eventLog, "s", 9);
    const rest: SentMessage[] = [];
    for await (const message of messages) if (isOfSession(message)) rest.push(message);
    expect(rest).toEqual([{ id: undefined, event: "bye", data: '{"reason":"removed","sessionId":"s"}' }]);
  },
);

test("a question appears to whoever watches approvals, and is gone when another process has answered it", async () => {
  const { workspace } = await openTestWorkspace();
  const server = await startTestServer({ routes: streamRoutes, workspace });
  const leave = new AbortController();
  const path = "/api/v1/stream?topics=approvals,runs";
  const messages = readMessages(await server.fetch(path, { headers: accept, signal: leave.signal }));
  const newest = new Map<string, string>();
  const nothing = '"approvals":[]';
  /** Reads until the newest messages of the topics, in any order, are the expected ones. */
  const until = async (approvalsHave: string, runsHave: string) => {
    while (!(newest.get("approvals")?.includes(approvalsHave) && newest.get("runs")?.includes(runsHave))) {
      const { value, done } = await messages.next();
      if (done) throw new Error("the stream is over");
      newest.set(value.event, value.data);
    }
    return JSON.parse(newest.get("approvals") ?? "").approvals;
  };
  expect(await until(nothing, "[]")).toEqual([]);
  const { sessionId, runId } = await workspace.runs.start({ prompt: "Where is my order?" });
  const approvals = await until(sessionId, runId);
  expect(approvals).toMatchObject([{ tool: "lookup", session: sessionId, alive: true }]);
  const answer = { decision: "allow", by: userName() } as const;
  const answers = [1, 2, 3].map(() =>
    answerApproval(approvals[0].id, answer, workspace.eventLog, workspace.context.project.permissions()),
  );
  const outcomes = (await Promise.all(answers)).map(({ outcome }) => outcome);
  expect(outcomes.toSorted()).toEqual(["delivered", "settled", "settled"]);
  expect(await until(nothing, '"ended":true')).toEqual([]);
  expect(await workspace.eventLog.read({ runId, last: 1 })).toMatchObject([{ type: "run.finished" }]);
  leave.abort();
});
