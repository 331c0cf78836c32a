/** From a request to a plan that cannot be wrong any more: models, features, budgets and tools are checked here. */
import {
  type Backend,
  ConfigError,
  type ConversationSpec,
  defaultPromptCaching,
  type HostSettings,
  InvalidRequestError,
  type LoopRequest,
  type Message,
  normalisePrompt,
  type ObjectRequest,
  type Operation,
  type OperationRequest,
  type PromptCaching,
  type SourcePosition,
  type TextRequest,
} from "@bridle/protocol";
import { createOutputSchema, type OutputSchema } from "../schemas/output-schema.ts";
import { declareReadResult } from "../tools/cut-results.ts";
import { readResultName } from "../tools/read-result.ts";
import { createToolbox, type Toolbox } from "../tools/toolbox.ts";
import { requireBuiltins, requireFeatures, requireHostSettings } from "./required-features.ts";
import { type Reasked, reaskUntilValid } from "./retry-object.ts";
import type { RunPlan, SessionPart } from "./run-plan.ts";

export interface PlanOptions {
  backend: Backend;
  models: Readonly<Record<string, string>>;
  /** Where the models are set, for the error when one is missing. */
  modelsPosition?: SourcePosition;
  promptCaching?: Partial<PromptCaching>;
  projectDir?: string;
}

export interface Planner {
  planText(request: TextRequest): RunPlan;
  /** `object` gives the parsed object of a run that ended naturally. */
  planObject<T>(request: ObjectRequest<T>): { plan: RunPlan; object(): T };
  planLoop(request: LoopRequest, session?: SessionPart): RunPlan;
}

interface PlanParts {
  toolbox: Toolbox;
  stepBudget: number;
  builtins?: readonly string[];
  hostSettings?: HostSettings | undefined;
  outputSchema?: OutputSchema<unknown>["jsonSchema"];
  outputAttempts?: number;
  maxCostUsd?: number | undefined;
  session?: SessionPart | undefined;
}

const defaultReasks = 2;
const stepsPerObjectAttempt = 4;

/** Every function throws a BridleError when the request is wrong, before anything is sent. */
export function createPlanner(options: PlanOptions): Planner {
  const { backend, models, modelsPosition, promptCaching, projectDir = process.cwd() } = options;

  function plan(operation: Operation, request: OperationRequest, parts: PlanParts): RunPlan {
    const messages = normalisePrompt(request.prompt);
    const earlier = messages.slice(0, -1);
    const spec: ConversationSpec = {
      model: request.model ?? modelOf(models, request.role, modelsPosition),
      system: normaliseSystem(request.system),
      tools: offeredIn(parts),
      builtins: parts.builtins ?? [],
      ...optional("hostSettings", parts.hostSettings),
      ...optional("outputSchema", parts.outputSchema),
      ...optional("outputAttempts", parts.outputAttempts),
      stepBudget: parts.stepBudget,
      ...optional("maxOutputTokens", wholeOrNone("maxOutputTokens", request.maxOutputTokens)),
      ...samplingOf(request, backend),
      ...optional("maxCostUsd", positive("maxCostUsd", parts.maxCostUsd)),
      promptCaching: { ...defaultPromptCaching, ...promptCaching },
      history: [...(parts.session?.history ?? []), ...earlier],
      ...optional("session", parts.session?.sessionId),
      projectDir,
    };
    requireFeatures(backend, spec, messages);
    return {
      operation,
      spec,
      toolbox: parts.toolbox,
      earlier,
      input: messages.at(-1) as Message,
      ...optional("role", request.role),
      ...optional("labels", request.labels),
      ...optional("signal", request.signal),
      ...optional("timeoutMs", positive("timeoutMs", request.timeoutMs)),
      ...optional("session", parts.session),
      notices: noticesOf(request, backend),
      follow: async () => ({ done: true }),
    };
  }

  function planText(request: TextRequest): RunPlan {
    return plan("text", request, { toolbox: createToolbox([]), stepBudget: 1 });
  }

  function planObject<T>(request: ObjectRequest<T>): { plan: RunPlan; object(): T } {
    const { parts, reasked } = planOutput(request);
    const stepBudget = stepsPerObjectAttempt * parts.outputAttempts;
    const base = plan("object", request, { toolbox: createToolbox([]), stepBudget, ...parts });
    return { plan: { ...base, follow: reasked.follow }, object: reasked.object };
  }

  function planLoop(request: LoopRequest, session?: SessionPart): RunPlan {
    const { builtins = [], maxCostUsd, hostSettings } = request;
    const stepBudget = wholeNumber("stepBudget", request.stepBudget, 1);
    requireBuiltins(backend, builtins);
    requireHostSettings(backend, hostSettings);
    const toolbox = createToolbox(request.tools, [readResultName, ...builtins]);
    const { schema, reasks } = request;
    const output = schema && planOutput({ schema, ...optional("reasks", reasks) });
    const base = plan("loop", request, {
      toolbox,
      stepBudget,
      builtins,
      hostSettings,
      maxCostUsd,
      session,
      ...output?.parts,
    });
    return {
      ...base,
      ...(output && { follow: output.reasked.follow }),
      ...optional("maxTotalTokens", positive("maxTotalTokens", request.maxTotalTokens)),
      ...optional("policy", request.policy),
      ...(request.onStep ? { onStep: (step) => request.onStep?.(step) } : {}),
    };
  }

  return { planText, planObject, planLoop };
}

/** How a run comes to an object that fits. */
function planOutput<T>({ schema, reasks: wanted = defaultReasks }: Pick<ObjectRequest<T>, "schema" | "reasks">) {
  const output = createOutputSchema(schema);
  const reasks = wholeNumber("reasks", wanted, 0);
  const parts = { outputSchema: output.jsonSchema, outputAttempts: 1 + reasks };
  const reasked: Reasked<T> = reaskUntilValid(output, reasks);
  return { parts, reasked };
}

type Sampling = Pick<OperationRequest, "temperature" | "topP">;

/** What a backend has no setting for is left out; `noticesOf` tells of it. */
function samplingOf({ temperature, topP }: Sampling, { features }: Backend): Sampling {
  const sampling = {
    ...optional("temperature", within("temperature", temperature, 0, 2)),
    ...optional("topP", within("topP", topP, 0, 1)),
  };
  return features.sampling ? sampling : {};
}

/** What the run is without, in sentences. */
function noticesOf({ temperature, topP }: Sampling, { id, features }: Backend): RunPlan["notices"] {
  const asked = [...(temperature === undefined ? [] : ["temperature"]), ...(topP === undefined ? [] : ["topP"])];
  if (asked.length === 0 || features.sampling) return [];
  const message = `The backend ${id} has no setting for ${asked.join(" and ")}: the run goes on without. Leave it out, or choose a model API.`;
  return [{ code: "sampling-unsupported", message }];
}

/** A model that was told in an earlier run how to read on in a result may do so. */
function offeredIn({ toolbox, session }: PlanParts): ConversationSpec["tools"] {
  return session?.earlierResults.size ? [...toolbox.declarations, declareReadResult()] : toolbox.declarations;
}

/** The model bound to a role, else the default. Throws ConfigError when there is neither. */
export function modelOf(models: Readonly<Record<string, string>>, role = "default", position?: SourcePosition): string {
  const model = Object.hasOwn(models, role) ? models[role] : models.default;
  if (model !== undefined) return model;
  throw new ConfigError(`No model is set for the role "${role}", and there is no default. Set llm.models.default.`, {
    field: "llm.models.default",
    ...optional("position", position),
  });
}

function normaliseSystem(system: OperationRequest["system"]): ConversationSpec["system"] {
  if (typeof system === "string") return { static: system, dynamic: "" };
  return { static: system?.static ?? "", dynamic: system?.dynamic ?? "" };
}

function wholeNumber(field: string, value: number, least: number): number {
  if (Number.isSafeInteger(value) && value >= least) return value;
  throw new InvalidRequestError(`${field} is ${value}, but must be a whole number from ${least}.`);
}

function wholeOrNone(field: string, value: number | undefined): number | undefined {
  return value === undefined ? undefined : wholeNumber(field, value, 1);
}

function within(field: string, value: number | undefined, least: number, most: number): number | undefined {
  if (value === undefined || (value >= least && value <= most)) return value;
  throw new InvalidRequestError(`${field} is ${value}, but must be a number from ${least} to ${most}.`);
}

/** The value itself. Throws InvalidRequestError unless it is missing or above 0. */
export function positive(field: string, value: number | undefined): number | undefined {
  if (value === undefined || (Number.isFinite(value) && value > 0)) return value;
  throw new InvalidRequestError(`${field} is ${value}, but must be a number above 0.`);
}

/** `{ [key]: value }`, or nothing when the value is undefined. */
export function optional<K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { [P in K]: V });
}
