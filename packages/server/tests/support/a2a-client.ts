import { randomUUID } from "node:crypto";
import { type Part, Role, type StreamResponse, type Task, TaskState } from "@a2a-js/sdk";
import {
  type Client,
  ClientFactory,
  ClientFactoryOptions,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
} from "@a2a-js/sdk/client";
import { type DeskModel, startDesk } from "./protocol-desk.ts";

type Desk = Awaited<ReturnType<typeof startDesk>>;

/** Opens the official A2A client, which finds the agent by its card. */
export async function openA2a(model: DeskModel = "rehearsal", given?: Desk) {
  const desk = given ?? (await startDesk(model));
  const client = await connectA2a(desk.server.url, desk.authorization);
  return { ...desk, desk, client, ...talkTo(client) };
}

async function connectA2a(url: string, authorization: string): Promise<Client> {
  const fetchImpl: typeof fetch = (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set("authorization", authorization);
    return fetch(input, { ...init, headers });
  };
  const factory = new ClientFactory(
    ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
      transports: [new JsonRpcTransportFactory({ fetchImpl })],
      cardResolver: new DefaultAgentCardResolver({ fetchImpl }),
    }),
  );
  return factory.createFromUrl(`${url}/a2a/agents/agent/`, ".well-known/agent-card.json");
}

interface Sent {
  readonly taskId?: string | undefined;
  readonly contextId?: string;
  readonly messageId?: string;
  readonly returnImmediately?: boolean;
  readonly historyLength?: number;
}

function talkTo(client: Client) {
  const request = (content: string | readonly Part[], { taskId = "", contextId = "", messageId, ...more }: Sent) => ({
    tenant: "",
    metadata: undefined,
    message: {
      messageId: messageId ?? randomUUID(),
      contextId,
      taskId,
      role: Role.ROLE_USER,
      parts: typeof content === "string" ? [textPart(content)] : [...content],
      metadata: undefined,
      extensions: [],
      referenceTaskIds: [],
    },
    configuration: {
      acceptedOutputModes: [],
      taskPushNotificationConfig: undefined,
      returnImmediately: false,
      ...more,
    },
  });
  return {
    async send(content: string | readonly Part[], sent: Sent = {}): Promise<Task> {
      const result = await client.sendMessage(request(content, sent));
      if (!("id" in result)) throw new Error("The result is no task.");
      return result;
    },
    async stream(content: string | readonly Part[], sent: Sent = {}, onUpdate: (update: Update) => unknown = () => {}) {
      return readUpdates(client.sendMessageStream(request(content, sent)), onUpdate);
    },
  };
}

function textPart(value: string): Part {
  return { content: { $case: "text", value }, metadata: undefined, filename: "", mediaType: "" };
}

export function dataPart(value: unknown): Part {
  return { content: { $case: "data", value }, metadata: undefined, filename: "", mediaType: "" };
}

type Update = NonNullable<StreamResponse["payload"]>;

/** Reads a stream like a client: the updates, and the resulting task. */
export async function readUpdates(
  stream: AsyncIterable<StreamResponse>,
  onUpdate: (update: Update) => unknown = () => {},
) {
  const updates: Update[] = [];
  let task: Task | undefined;
  for await (const { payload } of stream) {
    if (payload === undefined) throw new Error("An update is empty.");
    updates.push(payload);
    if (payload.$case === "task") task = payload.value;
    else if (task) apply(task, payload);
    await onUpdate(payload);
  }
  if (task === undefined) throw new Error("The stream had no task.");
  return { task, updates };
}

function apply(task: Task, update: Update): void {
  if (update.$case === "statusUpdate") task.status = update.value.status;
  if (update.$case !== "artifactUpdate" || update.value.artifact === undefined) return;
  const { artifact, append } = update.value;
  const at = task.artifacts.findIndex(({ artifactId }) => artifactId === artifact.artifactId);
  if (at < 0) task.artifacts.push(artifact);
  else if (append) task.artifacts[at]?.parts.push(...artifact.parts);
  else task.artifacts[at] = artifact;
}

/** Returns the texts of all artifacts that are not empty. */
export function textsOf({ artifacts }: Task): string[] {
  return artifacts.map(({ parts }) => parts.map(textOf).join("")).filter((text) => text !== "");
}

export function textOf({ content }: Part): string {
  return content?.$case === "text" ? content.value : "";
}

export function dataOf(parts: readonly Part[] | undefined): Record<string, unknown>[] {
  return (parts ?? []).flatMap(({ content }) => (content?.$case === "data" ? [content.value] : []));
}

/** Returns the name of a state, for readable tests. */
export function stateOf({ status }: Pick<Task, "status">): string {
  return TaskState[status?.state ?? TaskState.TASK_STATE_UNSPECIFIED].replace("TASK_STATE_", "").toLowerCase();
}
