/** Implements the A2A methods with the runs of a workspace. */
import type { ServedAgent } from "@bridle/app/serving";
import { z } from "zod";
import { hashRequest, readKey } from "../../api/request-key.ts";
import { describeCaller } from "../../http/describe-caller.ts";
import { RequestProblem } from "../../http/problem.ts";
import type { RouteRequest } from "../../http/route.ts";
import { answerQuestions, type Continued, type GivenAnswer } from "../shared/answer-questions.ts";
import { foldPages, followRun } from "../shared/follow-run.ts";
import { refuseUnended } from "../shared/refuse-unended.ts";
import { requireOperator } from "../shared/require-operator.ts";
import { startThread } from "../shared/start-thread.ts";
import { toSessionId } from "../shared/threads.ts";
import { canAnswerIn } from "./a2a-card.ts";
import { type A2aTask, type A2aUpdate, isTerminal } from "./a2a-objects.ts";
import { readDataAnswers, readTextAnswers } from "./a2a-question.ts";
import {
  listParamsSchema,
  parseParams,
  type RpcRequest,
  readA2aPrompt,
  type SendParams,
  sendParamsSchema,
  taskParamsSchema,
} from "./a2a-request.ts";
import { type FoundTask, findTask, listTasks, withHistory } from "./a2a-tasks.ts";

export type A2aCall = RouteRequest<unknown, RpcRequest> & { readonly agent: ServedAgent };

/** Methods with one result. */
export const a2aMethods: Readonly<Record<string, (call: A2aCall) => Promise<unknown>>> = {
  async SendMessage(call) {
    const { configuration, ...params } = parseParams(sendParamsSchema, call.body);
    const { fold, ...place } = await begin(call, { ...params, configuration });
    if (!configuration.returnImmediately && !isTerminal(fold.state)) await waitFor(call, { fold, ...place });
    return { task: withHistory(fold.task, configuration.historyLength) };
  },
  async GetTask(call) {
    const { id, historyLength } = parseParams(taskParamsSchema, call.body);
    return withHistory((await findTask(call.workspace, call.agent, id)).fold.task, historyLength);
  },
  async ListTasks(call) {
    return listTasks(call.workspace, call.agent, parseParams(listParamsSchema, call.body));
  },
  CancelTask: cancelTask,
};

/** Methods with a stream of results. */
export const a2aStreams: Readonly<Record<string, (call: A2aCall) => Promise<AsyncGenerator<readonly A2aUpdate[]>>>> = {
  async SendStreamingMessage(call) {
    return tellTask(call, await begin(call, parseParams(sendParamsSchema, call.body)));
  },
  async SubscribeToTask(call) {
    const { id } = parseParams(taskParamsSchema, call.body);
    const found = await findTask(call.workspace, call.agent, id);
    if (!isTerminal(found.fold.state)) return tellTask(call, found);
    throw new RequestProblem(409, "unsupported-operation", "The task has ended. Read it with GetTask.");
  },
};

/** Begins a task, or continues a task with answers. The fold contains the part of the task that the client already knows. */
async function begin(call: A2aCall, { message, configuration }: SendParams): Promise<FoundTask> {
  requireOperator(call.caller);
  if (configuration.taskPushNotificationConfig !== undefined) throw noPush();
  if (!canAnswerIn(configuration.acceptedOutputModes))
    throw new RequestProblem(422, "unsupported-output", "An agent answers with text/plain. Accept it.");
  const { workspace, agent } = call;
  const { runId, after } = await (message.taskId ? answerTask(call, message) : startTask(call, message));
  return findTask(workspace, agent, runId, after);
}

/** Starts a task. A repeated message with the same id and content starts nothing new, so that clients can retry. */
async function startTask(call: A2aCall, message: SendParams["message"]): Promise<Continued> {
  const { workspace, agent, caller, headers } = call;
  const sessionId = message.contextId ? toSessionId(message.contextId, "contextId") : undefined;
  const answers = readDataAnswers(message.parts);
  if (answers !== undefined && sessionId !== undefined)
    return answerQuestions(workspace, { agent: agent.id, sessionId, answers, caller });
  const request = { agent: agent.id, message };
  return startThread(workspace, {
    agent: agent.id,
    session: sessionId,
    prompt: readA2aPrompt(message),
    key: readKey(headers, caller, request) ?? toKey(`a2a ${message.messageId}`, caller, request),
  });
}

/** Creates the idempotency key. It includes the content, because some clients reuse message ids. */
function toKey(id: string, { name }: A2aCall["caller"], request: unknown) {
  const bodyHash = hashRequest(request);
  return { value: `${name}/${id} ${bodyHash}`, bodyHash };
}

const continuedSchema = z.object({ runId: z.string(), sessionId: z.string(), after: z.number() });

/** Answers the questions of a task. A repeated answer does not answer a question that the task has asked since. */
async function answerTask(call: A2aCall, message: SendParams["message"]): Promise<Continued> {
  const { workspace, agent, caller, headers } = call;
  const request = { agent: agent.id, message };
  const key = readKey(headers, caller, request) ?? toKey(`a2a ${message.messageId}`, caller, request);
  const begin = () => answerOnce(call, message);
  return workspace.once(key, { kind: "a2a-answer", resultSchema: continuedSchema, begin });
}

async function answerOnce(call: A2aCall, message: SendParams["message"]): Promise<Continued> {
  const { workspace, agent, caller } = call;
  const { fold, sessionId } = await findTask(workspace, agent, message.taskId ?? "");
  if (message.contextId && message.contextId !== sessionId)
    throw new RequestProblem(422, "invalid-input", "The task is of another context. Leave contextId out.");
  const answers = readDataAnswers(message.parts) ?? answersInText(fold, message);
  return answerQuestions(workspace, { agent: agent.id, sessionId, answers, caller });
}

function answersInText(fold: FoundTask["fold"], { parts }: SendParams["message"]): ReadonlyMap<string, GivenAnswer> {
  if (isTerminal(fold.state))
    throw new RequestProblem(409, "unsupported-operation", "The task has ended. Send the message without taskId.");
  if (fold.openQuestions.length === 0)
    throw new RequestProblem(409, "unsupported-operation", "The task asks nothing. Wait for its end, or cancel it.");
  return readTextAnswers(parts, fold.openQuestions);
}

async function cancelTask(call: A2aCall): Promise<Partial<A2aTask>> {
  const { workspace, agent, caller } = call;
  requireOperator(caller);
  const { id, historyLength } = parseParams(taskParamsSchema, call.body);
  const found = await findTask(workspace, agent, id);
  const { fold } = found;
  if (fold.state === "TASK_STATE_CANCELED") return withHistory(fold.task, historyLength);
  if (isTerminal(fold.state)) throw new RequestProblem(409, "task-not-cancelable", "The task has ended already.");
  if (!workspace.runs.stop(id, `stopped by ${describeCaller(caller)}`))
    throw new RequestProblem(409, "task-not-cancelable", "The task runs in another process. Cancel it there.");
  await waitFor(call, found);
  const { task } = fold;
  if (task.status.state === "TASK_STATE_CANCELED") return withHistory(task, historyLength);
  throw new RequestProblem(409, "task-not-cancelable", "The task ended before it could be canceled.");
}

/** Waits until the task pauses or ends. @throws RequestProblem if the server shuts down before that. */
async function waitFor({ workspace, gone }: A2aCall, { fold, seq, ...run }: FoundTask): Promise<void> {
  for await (const _told of foldPages(fold, followRun(workspace, run, seq, gone)));
  refuseUnended(fold);
}

async function* tellTask(
  { workspace, signal }: A2aCall,
  { fold, seq, ...run }: FoundTask,
): AsyncGenerator<readonly A2aUpdate[]> {
  yield [{ task: fold.task }];
  if (!isTerminal(fold.state)) yield* foldPages(fold, followRun(workspace, run, seq, signal));
  refuseUnended(fold);
}

export function noPush(): RequestProblem {
  return new RequestProblem(501, "no-push-notifications", "The server calls no addresses. Use SubscribeToTask.");
}
