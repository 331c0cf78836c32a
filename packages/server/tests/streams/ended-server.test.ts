import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { answerApproval } from "@bridle/app/approvals";
import { expect, onTestFinished, test } from "vitest";
import { createFolder, deskFiles, openTestWorkspace } from "../../../app/tests/support/open-test-workspace.ts";
import { expectedMessages, readMessages, readUntil, type SentMessage } from "../support/read-stream.ts";

const program = join(import.meta.dirname, "../support/serving-process.ts");
const headers = { authorization: "Bearer a-token-of-the-tests", accept: "text/event-stream" };

interface Serving {
  readonly child: ChildProcess;
  readonly url: string;
  readonly run: unknown;
  open(lastId?: string): Promise<Response>;
}

/** Starts a server for the folder in another process, with a run of this prompt. */
async function serve(folder: string, prompt: string): Promise<Serving> {
  const words = ["--conditions=@bridle/source", "--no-warnings", program, folder, prompt];
  const child = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [line] = await once(createInterface(child.stdout), "line");
  const { url, run } = JSON.parse(line);
  const open = (lastId?: string) =>
    fetch(`${url}/api/v1/sessions/trip/events`, {
      headers: { ...headers, ...(lastId && { "last-event-id": lastId }) },
    });
  return { child, url, run, open };
}

/** Reads messages until the connection is closed. */
async function readAll(response: Response): Promise<SentMessage[]> {
  const seen: SentMessage[] = [];
  try {
    for await (const message of readMessages(response)) seen.push(message);
  } catch {
    // the server was killed
  }
  return seen;
}

const isQuestion = ({ event }: SentMessage) => event === "approval.requested";
const isEnd = ({ event }: SentMessage) => event === "run.finished";

test("after a kill -9 the same stream continues, the run has ended, its question can be answered, its key is known", async () => {
  const folder = await createFolder(deskFiles);
  const first = await serve(folder, "Where is my order?");
  const seen = await readUntil(await first.open(), isQuestion);
  first.child.kill("SIGKILL");
  await once(first.child, "close");
  const second = await serve(folder, "Where is my order?");
  expect(second.run).toEqual(first.run); // the same request started no second run
  seen.push(...(await readUntil(await second.open(seen.at(-1)?.id), isEnd)));
  expect(JSON.parse(seen.at(-1)?.data ?? "")).toMatchObject({ result: { error: { code: "process_died" } } });
  const { workspace } = await openTestWorkspace({}, folder);
  expect(seen).toEqual(expectedMessages(await workspace.eventLog.read({ sessionId: "trip" })));
  const [question] = await workspace.eventLog.approvals.open();
  const permissions = workspace.context.project.permissions();
  const answer = answerApproval(question?.id ?? "", { decision: "allow" }, workspace.eventLog, permissions);
  expect((await answer).outcome).toBe("stored");
});

test("SIGTERM with twenty streams says goodbye to each, loses nothing and leaves the question open", async () => {
  const folder = await createFolder(deskFiles);
  const { child, open } = await serve(folder, "Where is my order?");
  const streams = await Promise.all(Array.from({ length: 20 }, () => open()));
  await readUntil(await open(), isQuestion);
  const reading = Promise.all(streams.map(readAll));
  const ended = once(child, "close");
  child.kill("SIGTERM");
  expect(await ended).toEqual([0, null]);
  const { workspace } = await openTestWorkspace({}, folder);
  const expected = expectedMessages(await workspace.eventLog.read({ sessionId: "trip" }));
  for (const messages of await reading) {
    expect(messages.at(-1)).toEqual({ id: undefined, event: "bye", data: '{"reason":"shutdown"}' });
    expect(expected.slice(0, messages.length - 1)).toEqual(messages.slice(0, -1));
  }
  expect(await workspace.eventLog.approvals.open()).toMatchObject([{ tool: "lookup", alive: false }]);
});

test("a run of another process appears in the stream, to its end", async () => {
  const folder = await createFolder(deskFiles);
  const { open } = await serve(folder, "Hi.");
  const { workspace } = await openTestWorkspace({}, folder);
  const response = await open("1");
  const { runId } = await workspace.runs.start({ session: "trip", prompt: "Hi again.", whenBusy: "wait" });
  const seen = await readUntil(response, (message) => isEnd(message) && JSON.parse(message.data).runId === runId);
  expect(seen).toEqual(expectedMessages(await workspace.eventLog.read({ sessionId: "trip", from: 2 })));
});
