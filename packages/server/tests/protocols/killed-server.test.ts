import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test } from "vitest";
import { createFolder, deskFiles } from "../../../app/tests/support/open-test-workspace.ts";
import { delegatingFiles } from "../support/delegating-desk.ts";

const program = join(import.meta.dirname, "../support/serving-process.ts");

/** Starts a server for the folder in another process. `post` resolves when the response begins. */
async function serve(folder: string) {
  const words = ["--conditions=@bridle/source", "--no-warnings", program, folder];
  const child = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [line] = await once(createInterface(child.stdout), "line");
  const { url } = JSON.parse(line);
  const headers = { authorization: "Bearer a-token-of-the-tests", "content-type": "application/json" };
  return {
    child,
    get: (path: string) => fetch(url + path, { headers: { authorization: headers.authorization } }),
    post: (path: string, body: object) => fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) }),
  };
}

/** Parses the body of a reply. */
// biome-ignore lint/suspicious/noExplicitAny: the tests compare it with expected values
async function toJson(response: Response): Promise<any> {
  return response.json();
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill("SIGKILL");
  await once(child, "close");
}

/** Reads the objects of a stream. `isCut`: the connection broke before the stream ended. */
async function readObjects(response: Response) {
  let text = "";
  let isCut = false;
  try {
    for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) text += part;
  } catch {
    isCut = true;
  }
  const lines = text.split("\n").filter((line) => line.startsWith("data: {"));
  return { objects: lines.map((line) => JSON.parse(line.slice(6))), text, isCut };
}

const agUi = "/ag-ui/agents/agent";
const aiSdk = "/ai-sdk/agents/agent/chat";
const openAi = "/openai/v1/responses";
const threadOf = (threadId: string, content: string, more: object = {}) => {
  return { threadId, runId: "r", messages: [{ id: "u", role: "user", content }], ...more };
};
const userPart = (text: string) => ({ id: "u", role: "user", parts: [{ type: "text", text }] });

test("after a kill -9 in mid-run each protocol says that the stream broke, how the run ended, and takes the next message", async () => {
  const folder = await createFolder(deskFiles);
  const first = await serve(folder);
  const streams = await Promise.all([
    first.post(agUi, threadOf("ag", "Be slow.")),
    first.post(aiSdk, { id: "ai", messages: [userPart("Be slow.")] }),
    first.post(openAi, { model: "agent", input: "Be slow.", conversation: "oa", stream: true }),
    first.post("/openai/v1/chat/completions", {
      model: "agent",
      messages: [{ role: "user", content: "Be slow." }],
      stream: true,
    }),
  ]);
  expect(streams.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  const reading = streams.map(readObjects);
  const begun = first.post(openAi, { model: "agent", input: "Be slow.", background: true });
  const { id: response } = await toJson(await begun);
  await kill(first.child);
  const [ag, ai, responses, chat] = await Promise.all(reading);
  expect([ag, ai, responses, chat].map((each) => each?.isCut)).toEqual([true, true, true, true]);
  expect(JSON.stringify([ag, ai, responses])).not.toMatch(/RUN_FINISHED|"finish"|response.completed/);
  expect(chat?.text).not.toContain("[DONE]");

  const second = await serve(folder);
  const found = await (await second.get(`${openAi}/${response}`)).json();
  expect(found).toMatchObject({ status: "failed", error: { message: expect.stringMatching(/process/) } });
  expect((await second.get(`${aiSdk}/ai/stream`)).status).toBe(204);
  const nextAg = await readObjects(await second.post(agUi, threadOf("ag", "Hi.")));
  expect(nextAg.objects.at(-1)).toMatchObject({ type: "RUN_FINISHED", outcome: { type: "success" } });
  const nextAi = await readObjects(await second.post(aiSdk, { id: "ai", messages: [userPart("Hi.")] }));
  expect(nextAi.objects.at(-1)).toMatchObject({ type: "finish", finishReason: "stop" });
  const nextOpen = await second.post(openAi, { model: "agent", input: "Hi.", previous_response_id: response });
  expect(await nextOpen.json()).toMatchObject({ status: "completed" });
});

test("after a kill -9 a question of each protocol is still open, and its answer continues the run", async () => {
  const folder = await createFolder(deskFiles);
  const first = await serve(folder);
  const [ag, ai] = await Promise.all([
    first.post(agUi, threadOf("ag", "Where is my order?")).then(readObjects),
    first.post(aiSdk, { id: "ai", messages: [userPart("Where is my order?")] }).then(readObjects),
  ]);
  const asked = await toJson(await first.post(openAi, { model: "agent", input: "Where is my order?" }));
  await kill(first.child);

  const second = await serve(folder);
  const decisionIn = async (session: string) => {
    const { events } = await toJson(await second.get(`/api/v1/sessions/${session}/events`));
    const { decision, source } = events.findLast(({ type }: { type: string }) => type === "approval.decided") ?? {};
    return { decision, source };
  };
  const [interrupt] = ag.objects.at(-1).outcome.interrupts;
  const resume = [{ interruptId: interrupt.id, status: "resolved", payload: { approved: true } }];
  const agAgain = await readObjects(await second.post(agUi, threadOf("ag", "Where is my order?", { resume })));
  expect(agAgain.objects.at(-1)).toMatchObject({ type: "RUN_FINISHED", outcome: { type: "success" } });
  expect(await decisionIn("ag")).toEqual({ decision: "allow", source: "answer" });

  const { approvalId, toolCallId } = ai.objects.find(({ type }) => type === "tool-approval-request");
  const part = {
    type: "dynamic-tool",
    toolName: "lookup",
    toolCallId,
    state: "approval-responded",
    input: { id: "7" },
  };
  const answered = { ...part, approval: { id: approvalId, approved: true } };
  const messages = [userPart("Where is my order?"), { id: "a", role: "assistant", parts: [answered] }];
  const aiAgain = await readObjects(await second.post(aiSdk, { id: "ai", messages }));
  expect(aiAgain.objects.at(-1)).toMatchObject({ type: "finish", finishReason: "stop" });
  expect(await decisionIn("ai")).toEqual({ decision: "allow", source: "answer" });

  const request = asked.output.find(({ type }: { type: string }) => type === "mcp_approval_request");
  const input = [{ type: "mcp_approval_response", approval_request_id: request.id, approve: true }];
  const openAgain = await second.post(openAi, { model: "agent", input, previous_response_id: asked.id });
  expect(await openAgain.json()).toMatchObject({ status: "completed" });
  expect(await decisionIn(asked.conversation.id)).toEqual({ decision: "allow", source: "answer" });
});

test("after a kill -9 nothing waits for the answer to a nested agent's question, and the client reads that its run has failed", async () => {
  const folder = await createFolder({ ...deskFiles, ...delegatingFiles });
  const first = await serve(folder);
  const asked = await readObjects(await first.post(agUi, threadOf("ag", "Where is my order?")));
  const [interrupt] = asked.objects.at(-1).outcome.interrupts;
  await kill(first.child);

  const second = await serve(folder);
  const resume = [{ interruptId: interrupt.id, status: "resolved", payload: { approved: true } }];
  const answered = await readObjects(await second.post(agUi, threadOf("ag", "Where is my order?", { resume })));
  expect(answered.objects.at(-1)).toMatchObject({ type: "RUN_ERROR", code: "process_died" });
  const next = await readObjects(await second.post(agUi, threadOf("ag", "Hi.")));
  expect(next.objects.at(-1)).toMatchObject({ type: "RUN_FINISHED", outcome: { type: "success" } });
});
