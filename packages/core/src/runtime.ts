import { type Backend, type ConversationSpec, defaultPromptCaching, type PromptCaching } from "./backend.ts";
import { type EngineServices, type FollowUp, type RunPlan, type StartedRun, startRun } from "./engine.ts";
import {
  BackendCrashError,
  type BridleError,
  BudgetExceededError,
  ConfigError,
  InvalidRequestError,
  isBridleError,
  StructuredOutputError,
  UnsupportedFeatureError,
  type ValidationIssue,
} from "./errors.ts";
import type { Operation, RunEvent, RunResult } from "./events.ts";
import { type Logger, silentLogger } from "./logger.ts";
import { suggestion } from "./nearest.ts";
import { createOutputSchema, type OutputSchema } from "./output-schema.ts";
import { allowHandedOver, type Policy } from "./policy.ts";
import { type Message, normalisePrompt } from "./prompt.ts";
import { readResultName } from "./read-result.ts";
import { createMemoryRecord, type EventRecord } from "./record.ts";
import type { AgentRuntime, LoopRequest, ObjectRequest, OperationRequest } from "./request.ts";
import { createTelemetry } from "./telemetry.ts";
import { createToolbox, type Toolbox } from "./toolbox.ts";

export interface RuntimeOptions {
  backend: Backend;
  /** Roles to model names; a role that is not bound uses `default`. */
  models: Readonly<Record<string, string>>;
  policy?: Policy;
  record?: EventRecord;
  logger?: Logger;
  promptCaching?: Partial<PromptCaching>;
  /** The folder that runs are about. Default: the working directory. */
  projectDir?: string;
  now?: () => number;
  /** Called with every event of every run. Contract: does not throw and does not wait. */
  onEvent?(event: RunEvent): void;
}

const defaultReasks = 2;
const stepsPerObjectAttempt = 4;

/** Makes a runtime over one backend. It holds nothing open until it is used. */
export function createAgentRuntime(options: RuntimeOptions): AgentRuntime {
  const { backend } = options;
  const telemetry = createTelemetry(backend.id);
  const runs = new Set<StartedRun>();
  let closed = false;
  const services: EngineServices = {
    backend,
    record: options.record ?? createMemoryRecord(),
    policy: options.policy ?? allowHandedOver,
    logger: options.logger ?? silentLogger,
    now: options.now ?? Date.now,
    observe(event) {
      telemetry(event);
      options.onEvent?.(event);
    },
  };

  function begin(plan: RunPlan): StartedRun {
    if (closed) throw new InvalidRequestError("The runtime is closed. Make a new one with createRuntime().");
    const run = startRun(plan, services);
    runs.add(run);
    void run.released.finally(() => runs.delete(run));
    return run;
  }

  const planner = createPlanner(options);

  return {
    backend: backend.id,
    async generateText(request) {
      const plan = planner.plan("text", request, { toolbox: createToolbox([]), stepBudget: 1 });
      const run = begin(plan);
      return answer(run.id, await run.result);
    },
    async generateObject<T>(request: ObjectRequest<T>) {
      const run = begin(planner.planObject(request));
      const result = await run.result;
      return { ...answer(run.id, result), object: result.object as T };
    },
    runAgentLoop(request) {
      return begin(planner.planLoop(request));
    },
    checkAuth: (signal) => backend.checkAuth(signal),
    async close() {
      closed = true;
      for (const run of runs) run.stop("the runtime was closed");
      await Promise.all([...runs].map((run) => run.released));
      await backend.close();
    },
  };
}

interface PlanParts {
  toolbox: Toolbox;
  stepBudget: number;
  builtins?: readonly string[];
  output?: OutputSchema;
  maxCostUsd?: number | undefined;
}

function createPlanner({ backend, models, promptCaching, projectDir = process.cwd() }: RuntimeOptions) {
  function plan(operation: Operation, request: OperationRequest, parts: PlanParts): RunPlan {
    const messages = normalisePrompt(request.prompt);
    const spec: ConversationSpec = {
      model: request.model ?? modelOf(models, request.role),
      system: normaliseSystem(request.system),
      tools: parts.toolbox.declarations,
      builtins: parts.builtins ?? [],
      ...(parts.output ? { outputSchema: parts.output.jsonSchema } : {}),
      stepBudget: parts.stepBudget,
      ...optional("maxOutputTokens", positive("maxOutputTokens", request.maxOutputTokens)),
      ...optional("maxCostUsd", positive("maxCostUsd", parts.maxCostUsd)),
      promptCaching: { ...defaultPromptCaching, ...promptCaching },
      history: messages.slice(0, -1),
      projectDir,
    };
    requireFeatures(backend, spec, messages);
    return {
      operation,
      spec,
      toolbox: parts.toolbox,
      input: messages.at(-1) as Message,
      ...optional("role", request.role),
      ...optional("labels", request.labels),
      ...optional("signal", request.signal),
      ...optional("timeoutMs", positive("timeoutMs", request.timeoutMs)),
      follow: async () => ({ done: true }),
    };
  }

  function planObject<T>(request: ObjectRequest<T>): RunPlan {
    const output = createOutputSchema(request.schema);
    const reasks = request.reasks ?? defaultReasks;
    const stepBudget = stepsPerObjectAttempt * (1 + reasks);
    const base = plan("object", request, { toolbox: createToolbox([]), stepBudget, output });
    return { ...base, follow: reaskUntilValid(output, reasks) };
  }

  function planLoop(request: LoopRequest): RunPlan {
    const { stepBudget, builtins = [], maxCostUsd } = request;
    if (!Number.isInteger(stepBudget) || stepBudget < 1) {
      throw new InvalidRequestError(`stepBudget is ${stepBudget}, but must be a whole number from 1.`);
    }
    requireBuiltins(backend, builtins);
    const toolbox = createToolbox(request.tools, [readResultName, ...builtins]);
    const base = plan("loop", request, { toolbox, stepBudget, builtins, maxCostUsd });
    return {
      ...base,
      ...optional("maxTotalTokens", positive("maxTotalTokens", request.maxTotalTokens)),
      ...(request.onStep ? { onStep: (step) => request.onStep?.(step) } : {}),
    };
  }

  return { plan, planObject, planLoop };
}

/** Asks again with the issues, in the same conversation, until the object fits or the re-asks are used up. */
function reaskUntilValid(output: OutputSchema, reasks: number): RunPlan["follow"] {
  let left = reasks;
  return async (end, text): Promise<FollowUp> => {
    const checked = await output.validate(end.object);
    if (checked.ok) return { done: true, object: checked.value };
    const last = end.object === undefined ? text : JSON.stringify(end.object);
    if (left === 0) throw neverValid(reasks, last, checked.issues);
    left -= 1;
    return { done: false, ask: reask(checked.issues) };
  };
}

function reask(issues: readonly ValidationIssue[]): string {
  return `Your answer does not fit the schema. Answer again with the whole object, and mend this:\n${listIssues(issues)}`;
}

function neverValid(reasks: number, text: string, issues: readonly ValidationIssue[]): StructuredOutputError {
  const message = `No valid object came in ${reasks + 1} answers:\n${listIssues(issues)}\nSimplify the schema, or allow more re-asks.`;
  return new StructuredOutputError(message, text, issues);
}

function listIssues(issues: readonly ValidationIssue[]): string {
  return issues.map(({ path, message }) => `- ${path || "(object)"}: ${message}`).join("\n");
}

function answer(runId: string, result: RunResult) {
  if (result.stopReason !== "natural") throw asError(runId, result);
  const { text, usage, cost, model } = result;
  return { runId, text, usage, ...optional("cost", cost), ...optional("model", model) };
}

function asError(runId: string, { stopReason, error }: RunResult): BridleError {
  if (isBridleError(error)) return error;
  if (stopReason === "budget") {
    return new BudgetExceededError("The model's answer was cut off by the step budget. Ask for less.", { runId });
  }
  return new BackendCrashError(`The run ended without an answer (${stopReason}).`, { runId });
}

/** The model bound to a role, else the default. Throws ConfigError when there is neither. */
export function modelOf(models: Readonly<Record<string, string>>, role = "default"): string {
  const model = models[role] ?? models.default;
  if (model !== undefined) return model;
  throw new ConfigError(`No model is set for the role "${role}", and there is no default. Set llm.models.default.`, {
    field: "llm.models.default",
  });
}

function normaliseSystem(system: OperationRequest["system"]): ConversationSpec["system"] {
  if (typeof system === "string") return { static: system, dynamic: "" };
  return { static: system?.static ?? "", dynamic: system?.dynamic ?? "" };
}

function requireBuiltins(backend: Backend, builtins: readonly string[]): void {
  const known = backend.features.builtins;
  for (const name of builtins) {
    if (known.includes(name)) continue;
    const hint = known.length === 0 ? "It has none; hand over tools of your own." : suggestion(name, known).trim();
    throw new UnsupportedFeatureError(backend.id, `tool of its own named "${name}"`, hint);
  }
}

function requireFeatures(backend: Backend, spec: ConversationSpec, messages: readonly Message[]): void {
  const { id, features } = backend;
  if (spec.outputSchema && !features.structuredOutput) {
    throw new UnsupportedFeatureError(id, "structured output", "Use generateText, or another backend.");
  }
  if (spec.history.length > 0 && !features.history) {
    throw new UnsupportedFeatureError(id, "history from messages", "Put the earlier messages into one prompt text.");
  }
  if (spec.maxOutputTokens !== undefined && !features.maxOutputTokens) {
    throw new UnsupportedFeatureError(id, "limit on output tokens", "Leave maxOutputTokens out.");
  }
  if (spec.maxCostUsd !== undefined && !features.costBudget) {
    throw new UnsupportedFeatureError(id, "cost budget", "Use maxTotalTokens instead of maxCostUsd.");
  }
  const part = messages.flatMap(({ content }) => content).find(({ type }) => !features.parts.includes(type));
  if (part)
    throw new UnsupportedFeatureError(
      id,
      `prompt parts of type ${part.type}`,
      `It takes ${features.parts.join(", ")}.`,
    );
}

function positive(field: string, value: number | undefined): number | undefined {
  if (value === undefined || (Number.isFinite(value) && value > 0)) return value;
  throw new InvalidRequestError(`${field} is ${value}, but must be a number above 0.`);
}

/** `{ [key]: value }`, or nothing when the value is undefined. */
function optional<K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { [P in K]: V });
}
