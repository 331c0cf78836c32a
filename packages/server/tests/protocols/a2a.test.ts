import { TaskState } from "@a2a-js/sdk";
import { expect, test } from "vitest";
import { dataOf, dataPart, openA2a, readUpdates, stateOf, textOf, textsOf } from "../support/a2a-client.ts";

type Log = Awaited<ReturnType<typeof openA2a>>["workspace"]["eventLog"];

/** Waits for the question about the order with this number. */
async function untilAsked(runId: string, order: string, eventLog: Log): Promise<void> {
  for await (const event of eventLog.follow({ runId }, AbortSignal.timeout(30_000))) {
    if (event.type === "approval.requested" && JSON.stringify(event.input).includes(order)) return;
  }
}

test("an A2A client finds an agent by its card, and gets texts and calls in a stream that GetTask repeats", async () => {
  const { client, stream, send, server, workspace } = await openA2a();
  expect(await client.getAgentCard()).toMatchObject({
    name: "desk",
    description: "Answers questions about orders.",
    version: "7.0.0",
    supportedInterfaces: [
      { url: `${server.url}/a2a/agents/agent`, protocolBinding: "JSONRPC", protocolVersion: "1.0" },
    ],
    capabilities: { streaming: true, pushNotifications: false },
  });
  const { task, updates } = await stream("What time is it?");
  expect(updates[0]?.$case).toBe("task");
  expect(stateOf(task)).toBe("completed");
  expect(textsOf(task)).toEqual(["One moment.", "It is noon."]);
  const notes = updates.flatMap((update) => (update.$case === "statusUpdate" ? [update.value.metadata?.bridle] : []));
  expect(notes).toMatchObject([
    { type: "tool.started" },
    { type: "tool.finished", ok: true, output: "noon" },
    { stopReason: "natural", usage: { outputTokens: expect.any(Number) } },
  ]);
  const read = await client.getTask({ tenant: "", id: task.id });
  expect([stateOf(read), textsOf(read)]).toEqual(["completed", textsOf(task)]);
  expect(read.history).toMatchObject([{ parts: [{ content: { value: "What time is it?" } }] }]);
  const second = await send("And the second?", { contextId: task.contextId, historyLength: 0 });
  expect(second).toMatchObject({ contextId: task.contextId, history: [] });
  expect(textsOf(second)).toEqual(["This is the second answer."]);
  expect(await workspace.eventLog.runs({ sessionId: task.contextId })).toHaveLength(2);
});

test.each(["rehearsal", "login"] as const)(
  "a question is input-required, and an answer with an edited input continues the task (%s)",
  async (model) => {
    const { client, stream, send } = await openA2a(model);
    const { task: asked } = await stream("Where is my order?");
    expect(stateOf(asked)).toBe("input_required");
    const [question] = dataOf(asked.status?.message?.parts);
    expect(question).toMatchObject({ tool: "lookup", input: { id: "7" }, rule: expect.any(String) });
    expect(stateOf(await client.getTask({ tenant: "", id: asked.id }))).toBe("input_required");
    const answer = [dataPart({ approvalId: question?.approvalId, decision: "allow", input: { id: "9" } })];
    const { task } = await stream(answer, { taskId: asked.id });
    expect([task.id, stateOf(task)]).toEqual([asked.id, "completed"]);
    expect(textsOf(task).at(-1)).toContain("Order 9 is on its way.");
    const again = await send(answer, { taskId: asked.id }); // as from a client that lost the response
    expect(textsOf(again)).toEqual(textsOf(task));
  },
);

test("a question is answered with one word, and a denial reaches the model with its reason", async () => {
  const { send, workspace } = await openA2a();
  const asked = await send("Where is my order?");
  expect(asked.status?.message?.parts.map(textOf).join("")).toContain('Answer with "allow" or "deny"');
  await expect(send("Perhaps.", { taskId: asked.id })).rejects.toThrow("neither");
  await expect(send("Hello?", { contextId: asked.contextId })).rejects.toThrow("is open");
  const denied = await send("deny: not today", { taskId: asked.id });
  expect(stateOf(denied)).toBe("completed");
  expect(textsOf(denied).at(-1)).toContain("not today");
  await expect(send("allow", { taskId: asked.id })).rejects.toMatchObject({ name: "UnsupportedOperationError" });
  const both = await send("Where are both orders?");
  await untilAsked(both.id, "8", workspace.eventLog); // the result does not contain this question
  await expect(send("allow", { taskId: both.id })).rejects.toThrow("2 questions are open");
  expect(textsOf(await send("Allow all.", { taskId: both.id }))).toEqual(["Both are on their way."]);
  expect(await workspace.eventLog.approvals.open()).toEqual([]);
});

test("a task in progress is followed by a second client, canceled, and neither followed nor canceled again", async () => {
  const { client, send } = await openA2a();
  const begun = await send("Tell me a story.", { returnImmediately: true });
  expect(stateOf(begun)).toBe("working");
  await expect(send("More!", { taskId: begun.id })).rejects.toThrow("asks nothing");
  let canceled: Promise<unknown> | undefined;
  const followed = await readUpdates(client.resubscribeTask({ tenant: "", id: begun.id }), ({ $case }) => {
    if ($case === "artifactUpdate") canceled ??= client.cancelTask({ tenant: "", id: begun.id, metadata: undefined });
  });
  expect(await canceled).toMatchObject({ id: begun.id, status: { state: TaskState.TASK_STATE_CANCELED } });
  expect([stateOf(followed.task), textsOf(followed.task)[0]]).toEqual(["canceled", expect.stringContaining("Once")]);
  const again = await client.cancelTask({ tenant: "", id: begun.id, metadata: undefined });
  expect(stateOf(again)).toBe("canceled");
  const unsupported = { name: "UnsupportedOperationError" };
  await expect(readUpdates(client.resubscribeTask({ tenant: "", id: begun.id }))).rejects.toMatchObject(unsupported);
  const done = await send("Hello.");
  const cancel = client.cancelTask({ tenant: "", id: done.id, metadata: undefined });
  await expect(cancel).rejects.toMatchObject({ name: "TaskNotCancelableError" });
});

test("a failure has its reason, and a response that is requested again replaces the first one", async () => {
  const { stream, client } = await openA2a();
  const failed = await stream("Please fail.");
  expect([stateOf(failed.task), failed.task.status?.message?.parts.map(textOf)]).toEqual([
    "failed",
    [expect.stringContaining("No such thing")],
  ]);
  const { task } = await stream("Please break.");
  expect(textsOf(task)).toEqual(["It was a bright day."]);
  expect(textsOf(await client.getTask({ tenant: "", id: task.id }))).toEqual(["It was a bright day."]);
});

test("the tasks of an agent are listed in pages, by context and by state", async () => {
  const { client, send } = await openA2a();
  const first = await send("Hello.");
  const second = await send("Where is my order?");
  const list = (more: object) =>
    client.listTasks({
      tenant: "",
      contextId: "",
      status: TaskState.TASK_STATE_UNSPECIFIED,
      pageToken: "",
      statusTimestampAfter: undefined,
      ...more,
    });
  const ids = async (more: object) => (await list(more)).tasks.map(({ id }) => id);
  expect(await ids({})).toEqual([second.id, first.id]);
  expect(await ids({ contextId: first.contextId })).toEqual([first.id]);
  expect(await ids({ status: TaskState.TASK_STATE_INPUT_REQUIRED })).toEqual([second.id]);
  const page = await list({ pageSize: 1, includeArtifacts: true });
  expect(page.tasks).toMatchObject([{ id: second.id, artifacts: [{}] }]);
  const next = await list({ pageSize: 1, pageToken: page.nextPageToken });
  expect(next).toMatchObject({ tasks: [{ id: first.id, artifacts: [] }] });
  expect((await list({ pageSize: 5 })).nextPageToken).toBe("");
});

test("the same message again begins no second task, also while its question is open", async () => {
  const { send, workspace } = await openA2a();
  const message = { contextId: "context-1", messageId: "message-1" };
  const [one, two] = await Promise.all([send("Where is my order?", message), send("Where is my order?", message)]);
  const three = await send("Where is my order?", message);
  expect([two.id, three.id]).toEqual([one.id, one.id]);
  expect(await workspace.eventLog.runs({ sessionId: "context-1" })).toHaveLength(1);
});

test("what the server cannot do is refused with the errors of the protocol, and a viewer only reads", async () => {
  const { server, send } = await openA2a();
  const call = async (method: string, params: object = {}, headers: Record<string, string> = {}) => {
    const response = await server.fetch("/a2a/agents/agent", {
      method: "POST",
      headers,
      json: { jsonrpc: "2.0", id: 7, method, params },
    });
    const { id, error } = (await response.json()) as {
      id: unknown;
      error: { code: number; data: [{ reason: string }] };
    };
    return [response.status, id, error.code, error.data[0].reason];
  };
  const message = { messageId: "m", role: "ROLE_USER", parts: [{ text: "Hello." }] };
  const viewer = { authorization: `Bearer ${server.viewerToken}` };
  const done = await send("Hello.");
  const refusals: [expected: unknown[], ...request: Parameters<typeof call>][] = [
    [[200, 7, -32601, "METHOD_NOT_FOUND"], "message/send"],
    [[200, 7, -32601, "METHOD_NOT_FOUND"], "toString"],
    [[200, 7, -32009, "VERSION_NOT_SUPPORTED"], "GetTask", {}, { "a2a-version": "0.3" }],
    [[200, 7, -32001, "TASK_NOT_FOUND"], "GetTask", { id: "none" }],
    [[200, 7, -32001, "TASK_NOT_FOUND"], "SendMessage", { message: { ...message, taskId: "none" } }],
    [[200, 7, -32602, "INVALID_PARAMS"], "GetTask"],
    [[200, 7, -32602, "INVALID_PARAMS"], "SendMessage", { message: { ...message, contextId: "a/b" } }],
    [
      [200, 7, -32602, "INVALID_PARAMS"],
      "SendMessage",
      { message: { ...message, taskId: done.id, contextId: "other" } },
    ],
    [[200, 7, -32602, "INVALID_PARAMS"], "ListTasks", { pageToken: "x" }],
    [[200, 7, -32003, "PUSH_NOTIFICATION_NOT_SUPPORTED"], "CreateTaskPushNotificationConfig"],
    [[200, 7, -32004, "UNSUPPORTED_OPERATION"], "GetExtendedAgentCard"],
    [
      [200, 7, -32005, "CONTENT_TYPE_NOT_SUPPORTED"],
      "SendMessage",
      { message: { ...message, parts: [{ url: "http://169.254.169.254/" }] } },
    ],
    [
      [200, 7, -32005, "CONTENT_TYPE_NOT_SUPPORTED"],
      "SendMessage",
      { message, configuration: { acceptedOutputModes: ["audio/ogg"] } },
    ],
    [[200, 7, -32000, "REFUSED"], "SendMessage", { message }, viewer],
    [[200, 7, -32000, "REFUSED"], "SendStreamingMessage", { message }, viewer],
    [[200, 7, -32000, "REFUSED"], "CancelTask", { id: done.id }, viewer],
  ];
  for (const [expected, ...request] of refusals)
    expect(await call(...request), JSON.stringify(request)).toEqual(expected);
  const bad = await server.fetch("/a2a/agents/agent", { method: "POST", json: { jsonrpc: "1.0", method: "GetTask" } });
  expect([bad.status, await bad.json()]).toMatchObject([422, { jsonrpc: "2.0", id: null, error: { code: -32602 } }]);
  const other = await server.fetch("/a2a/agents/nobody/.well-known/agent-card.json");
  expect(other.status).toBe(404);
});
