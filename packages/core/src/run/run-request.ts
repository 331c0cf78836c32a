/** Turns a request into a valid plan. Models, features, budgets and tools are checked here. */
import {
  type Backend,
  ConfigError,
  type ConversationSpec,
  defaultPromptCaching,
  type EventDetail,
  type HistoryMessage,
  type HostSettings,
  type LoopRequest,
  type Message,
  normalisePrompt,
  type ObjectRequest,
  type Operation,
  type OperationRequest,
  omitUndefined,
  type PromptCaching,
  type SourcePosition,
  suggestion,
  type TextRequest,
} from "@bridle/protocol";
import { createOutputSchema, type OutputSchema } from "../schemas/output-schema.ts";
import { declareTools } from "../tools/cut-results.ts";
import { readResultName } from "../tools/read-result.ts";
import { withoutResultImages } from "../tools/result-images.ts";
import { createToolbox, type Toolbox } from "../tools/toolbox.ts";
import { absolute, knownDetails, positive, wholeNumber, wholeOrNone, within } from "./checks/check-options.ts";
import { joinEnvironments, type ToolEnvironment } from "./checks/environment.ts";
import { requireBuiltins, requireFeatures, requireHostSettings } from "./checks/required-features.ts";
import { type ObjectRetry, retryUntilValid } from "./retry-object.ts";
import type { RunPlan, SessionPart } from "./run-plan.ts";

export interface PlanOptions {
  backend: Backend;
  models: Readonly<Record<string, string>>;
  /** Where the models are set, for the error if a model is missing. */
  modelsPosition?: SourcePosition | undefined;
  promptCaching?: Partial<PromptCaching> | undefined;
  projectDir?: string | undefined;
  toolEnvironment?: ToolEnvironment | undefined;
  eventDetails?: readonly EventDetail[] | undefined;
}

interface PlanParts {
  toolbox: Toolbox;
  stepBudget: number;
  builtins?: readonly string[] | undefined;
  hostSettings?: HostSettings | undefined;
  outputSchema?: OutputSchema<unknown>["jsonSchema"] | undefined;
  outputAttempts?: number | undefined;
  maxCostUsd?: number | undefined;
  session?: SessionPart | undefined;
  projectDir?: string | undefined;
  environment?: ToolEnvironment | undefined;
}

const defaultSchemaRetries = 2;
const stepsPerObjectAttempt = 4;
const defaultToolSteps = 20;

/** Turns requests into plans. Every method throws a BridleError if the request is wrong, before anything is sent. */
export class RunPlanner {
  readonly #options: PlanOptions;

  constructor(options: PlanOptions) {
    this.#options = options;
  }

  planText(request: TextRequest): RunPlan {
    return this.#planTools("text", request, 1);
  }

  planObject<T>(request: ObjectRequest<T>): RunPlan<T> & Required<Pick<RunPlan<T>, "object">> {
    const { parts, retry } = planOutput(request);
    const plan = this.#planTools("object", request, stepsPerObjectAttempt * parts.outputAttempts, parts);
    return { ...plan, ...retry };
  }

  planLoop<T>(request: LoopRequest<T>, session?: SessionPart): RunPlan<T> {
    const { schema, schemaRetries } = request;
    const output = schema && planOutput<T>({ schema, ...omitUndefined({ schemaRetries }) });
    const plan = this.#planTools("loop", request, defaultToolSteps, { ...output?.parts, session });
    const maxDepth = request.maxDepth === undefined ? undefined : wholeNumber("maxDepth", request.maxDepth, 0);
    return { ...plan, ...output?.retry, ...omitUndefined({ parent: request.parent, maxDepth }) };
  }

  /** Plans the tools. `ownSteps` is the number of steps without tools. */
  #planTools(
    operation: Operation,
    request: TextRequest,
    ownSteps: number,
    more: Partial<PlanParts> = {},
  ): Omit<RunPlan, "object"> {
    const { backend } = this.#options;
    const {
      tools = [],
      builtins = [],
      maxCostUsd,
      hostSettings,
      onStep,
      policy,
      approve,
      projectDir,
      environment,
    } = request;
    const defaultSteps = tools.length + builtins.length > 0 ? Math.max(defaultToolSteps, ownSteps) : ownSteps;
    const stepBudget = wholeNumber("stepBudget", request.stepBudget ?? defaultSteps, 1);
    requireBuiltins(backend, builtins);
    requireHostSettings(backend, hostSettings);
    const toolbox = createToolbox(tools, [readResultName, ...builtins]);
    const plan = this.#plan(operation, request, {
      toolbox,
      stepBudget,
      builtins,
      hostSettings,
      maxCostUsd,
      projectDir,
      environment,
      ...more,
    });
    return {
      ...plan,
      ...omitUndefined({ maxTotalTokens: positive("maxTotalTokens", request.maxTotalTokens), policy, approve }),
      ...omitUndefined({ eventDetails: knownDetails(request.eventDetails ?? this.#options.eventDetails) }),
      ...(onStep && { onStep: (step) => request.onStep?.(step) }),
    };
  }

  #plan(operation: Operation, request: OperationRequest, parts: PlanParts): Omit<RunPlan, "object"> {
    const { backend } = this.#options;
    const { role, labels, signal } = request;
    const messages = normalisePrompt(request.prompt);
    const earlier = messages.slice(0, -1);
    const spec = this.#specify(request, parts, earlier);
    requireFeatures(backend, spec, messages);
    const timeoutMs = positive("timeoutMs", request.timeoutMs);
    return {
      operation,
      spec,
      toolbox: parts.toolbox,
      earlier,
      input: messages.at(-1) as Message,
      ...omitUndefined({ role, labels, signal, timeoutMs, session: parts.session }),
      notices: noticesFor(request, backend),
      follow: async () => ({ done: true }),
    };
  }

  #specify(request: OperationRequest, parts: PlanParts, earlier: readonly Message[]): ConversationSpec {
    const {
      backend,
      models,
      modelsPosition,
      promptCaching,
      projectDir = process.cwd(),
      toolEnvironment,
    } = this.#options;
    const { hostSettings, outputSchema, outputAttempts, session } = parts;
    return {
      model: request.model ?? modelForRole(models, request.role, modelsPosition),
      system: normaliseSystem(request.system),
      tools: declareTools(parts.toolbox, Boolean(session?.earlierResults.size), backend.features),
      builtins: parts.builtins ?? [],
      stepBudget: parts.stepBudget,
      ...omitUndefined({
        hostSettings,
        outputSchema,
        outputAttempts,
        session: session?.sessionId,
        maxOutputTokens: wholeOrNone("maxOutputTokens", request.maxOutputTokens),
        maxCostUsd: positive("maxCostUsd", parts.maxCostUsd),
        environment: joinEnvironments(toolEnvironment, parts.environment),
      }),
      ...samplingFor(request, backend),
      promptCaching: { ...defaultPromptCaching, ...promptCaching },
      history: acceptedHistory([...(session?.history ?? []), ...earlier], backend),
      projectDir: parts.projectDir === undefined ? projectDir : absolute(parts.projectDir),
    };
  }
}

/** Returns the parts of a plan that make a run end with a valid object. */
function planOutput<T>({
  schema,
  schemaRetries: wanted = defaultSchemaRetries,
}: Pick<ObjectRequest<T>, "schema" | "schemaRetries">) {
  const output = createOutputSchema(schema);
  const schemaRetries = wholeNumber("schemaRetries", wanted, 0);
  const parts = { outputSchema: output.jsonSchema, outputAttempts: 1 + schemaRetries };
  const retry: ObjectRetry<T> = retryUntilValid(output, schemaRetries);
  return { parts, retry };
}

function acceptedHistory(history: readonly HistoryMessage[], { id, features }: Backend): readonly HistoryMessage[] {
  return features.resultImages ? history : withoutResultImages(history, id);
}

type Sampling = Pick<OperationRequest, "temperature" | "topP">;

/** Returns the sampling settings that the backend has; `noticesFor` reports the others. */
function samplingFor({ temperature, topP }: Sampling, { features }: Backend): Pick<ConversationSpec, keyof Sampling> {
  const sampling = {
    temperature: within("temperature", temperature, 0, 2),
    topP: within("topP", topP, 0, 1),
  };
  return features.sampling ? omitUndefined(sampling) : {};
}

/** Describes the settings that the run ignores, in sentences. */
function noticesFor({ temperature, topP }: Sampling, { id, features }: Backend): RunPlan["notices"] {
  const asked = [...(temperature === undefined ? [] : ["temperature"]), ...(topP === undefined ? [] : ["topP"])];
  if (asked.length === 0 || features.sampling) return [];
  const message = `The backend ${id} has no setting for ${asked.join(" and ")}: it is ignored. Leave it out, or choose a model API.`;
  return [{ code: "sampling-unsupported", message }];
}

/**
 * Returns the model bound to a role, or the default model. Throws ConfigError if both are missing, and for a role whose name nearly matches
 * a bound role, because a typo would silently use the default model.
 */
export function modelForRole(
  models: Readonly<Record<string, string>>,
  role = "default",
  position?: SourcePosition,
): string {
  if (Object.hasOwn(models, role) && models[role] !== undefined) return models[role];
  const near = suggestion(role, Object.keys(models).filter(isLong));
  if (near !== "" && isLong(role)) {
    const message = `No model is set for the role "${role}".${near} Correct the role, or set llm.models.${role}.`;
    throw new ConfigError(message, { field: `llm.models.${role}`, ...omitUndefined({ position }) });
  }
  const model = models.default;
  if (model !== undefined) return model;
  throw new ConfigError(`No model is set for the role "${role}", and there is no default. Set llm.models.default.`, {
    field: "llm.models.default",
    ...omitUndefined({ position }),
  });
}

/** Whether a role's name is long enough to detect typos. Short names, such as fast and last, are similar by chance. */
function isLong(role: string): boolean {
  return role.length > 4;
}

function normaliseSystem(system: OperationRequest["system"]): ConversationSpec["system"] {
  if (typeof system === "string") return { static: system, dynamic: "" };
  return { static: system?.static ?? "", dynamic: system?.dynamic ?? "" };
}
