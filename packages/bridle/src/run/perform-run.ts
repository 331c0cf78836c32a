import type { AgentRuntime, AnyTool, JsonSchema, RunEvent, RunResult } from "@bridle/core";
import type { AuthMode, BackendName, CreateRuntimeOptions } from "@bridle/project";
import type { Cli } from "../cli/cli.ts";
import { exitCodeOfResult } from "../cli/exit-codes.ts";
import { type Interruption, watchInterruptions } from "./interruption.ts";
import { createStderrLogger } from "./logger.ts";
import { type Form, report, viewOf } from "./view.ts";

export interface RunPlan {
  readonly prompt: string;
  readonly tools: readonly AnyTool[];
  readonly form: Form;
  readonly system?: string;
  readonly schema?: JsonSchema;
  readonly role?: string;
  readonly model?: string;
  readonly steps?: number;
  readonly timeout?: number;
  readonly backend?: BackendName;
  readonly auth?: AuthMode;
  readonly rehearse?: string;
  readonly projectDir?: string;
}

const defaultSteps = 20;

/** Runs to the end, shows what happens, and resolves with the exit code. Rejects when the run could not begin. */
export async function performRun(plan: RunPlan, cli: Cli): Promise<number> {
  const interruption = watchInterruptions(cli);
  const show = viewOf(plan.form, plan.schema !== undefined, cli);
  let result: RunResult | undefined;
  const onEvent = (event: RunEvent) => {
    if (event.type === "run.finished") result = event.result;
    show(event);
  };
  try {
    const runtime = await cli.createRuntime({ ...runtimeOptions(plan, cli), onEvent });
    try {
      await operate(runtime, plan, interruption);
    } catch (error) {
      if (result === undefined) throw error; // else the result holds it
    } finally {
      await runtime.close();
    }
  } finally {
    interruption.dispose();
  }
  if (result === undefined) throw new Error("The run had no end.");
  report(result, plan, cli);
  return exitCodeOfResult(result, interruption.interrupt);
}

function runtimeOptions(plan: RunPlan, cli: Cli): CreateRuntimeOptions {
  const given = pick(plan, ["backend", "auth", "rehearse", "projectDir"]);
  return { ...given, environment: cli.environment, logger: createStderrLogger(cli.stderr) };
}

async function operate(runtime: AgentRuntime, plan: RunPlan, { signal }: Interruption): Promise<void> {
  const { tools, schema, timeout, steps = defaultSteps } = plan;
  const request = {
    ...pick(plan, ["prompt", "system", "role", "model"]),
    signal,
    ...(timeout !== undefined && { timeoutMs: timeout * 1000 }),
  };
  if (schema) await runtime.generateObject({ ...request, schema });
  else await runtime.runAgentLoop({ ...request, tools, stepBudget: steps }).result;
}

/** Some fields of an object; those that it does not have stay missing. */
function pick<T extends object, K extends keyof T>(object: T, keys: readonly K[]): Pick<T, K> {
  return Object.fromEntries(keys.filter((key) => key in object).map((key) => [key, object[key]])) as Pick<T, K>;
}
