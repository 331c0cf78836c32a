/**
 * The port of an application that describes data: a text, an object and an agent loop, each for a role. It has the shape of
 * the LLM runtime port of KTX (https://github.com/Kaelio/ktx). The application owns these types; none of them is Bridle's.
 */
import type { z } from "zod";

export interface LlmRuntimePort {
  generateText(input: TextInput): Promise<string>;
  generateObject<T>(input: ObjectInput<T>): Promise<T>;
  /** Rejects only if `abortSignal` is aborted. Any other failure is the `error` of the result. */
  runAgentLoop(params: LoopParams): Promise<LoopResult>;
  /** The information that the application needs to run the model in its own child process. `null` if it does not need a child process. */
  subprocessForkSpec(): null;
}

export interface TextInput {
  /** The purpose of the call. The configuration gives each purpose its model. */
  role: string;
  prompt: string;
  system?: string;
  tools?: ToolSet;
  temperature?: number;
  abortSignal?: AbortSignal;
  /** Called once, even if the call fails. */
  onMetrics?: (metrics: CallMetrics) => void;
}

export interface ObjectInput<T> extends TextInput {
  schema: z.ZodType<T>;
}

export interface LoopParams {
  modelRole: string;
  systemPrompt: string;
  userPrompt: string;
  toolSet: ToolSet;
  /** The number of model responses. */
  stepBudget: number;
  telemetryTags: Record<string, string>;
  abortSignal?: AbortSignal;
  onStepFinish?: (step: { stepIndex: number; stepBudget: number }) => void | Promise<void>;
}

export interface LoopResult {
  stopReason: "natural" | "budget" | "error";
  error?: Error;
  /** `stepBoundariesMs`: when each step ended, from the start of the loop. */
  metrics: CallMetrics & { stepCount: number; stepBoundariesMs: number[] };
}

export interface CallMetrics {
  totalMs: number;
  usage: { inputTokens?: number; outputTokens?: number; totalTokens?: number };
}

/** The tools of a call, by name. */
export type ToolSet = Record<string, Tool>;

interface Tool {
  name: string;
  description: string;
  inputSchema: z.ZodObject;
  /** The model reads `markdown`. */
  execute(input: unknown): Promise<{ markdown: string; structured?: unknown }>;
}
