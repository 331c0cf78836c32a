import { createToolbox } from "@bridle/core";
import { refuseModule } from "@bridle/project";
import { getErrorMessage, isBridleError, type OpenedTools, type ToolOpeningContext } from "@bridle/protocol";
import { z } from "zod";
import { PythonWorker } from "../../python/python-worker.ts";
import { moduleOf } from "./check-function-tool.ts";
import type { FunctionToolConfig } from "./function-config.ts";
import { toFunctionTool } from "./to-tool.ts";

/** How long a file may take to load. */
const loadMs = 30_000;

const describedSchema = z.strictObject({
  parameters: z.record(z.string(), z.looseObject({ required: z.boolean().optional() })),
  description: z.string().nullable(),
});

/**
 * Opens a tool that is a function in a Python file. The function's signature and docstring describe the tool, unless the agent file does.
 * Throws ConfigError.
 */
export async function openPythonFunction(
  config: FunctionToolConfig,
  { baseDir, environment, trusted }: Pick<ToolOpeningContext, "baseDir" | "environment" | "trusted">,
): Promise<OpenedTools> {
  const { file, function: name, python, env } = config;
  const worker = new PythonWorker({ file, baseDir, python, env, environment, trusted });
  try {
    const limit = AbortSignal.timeout(loadMs);
    const described = describedSchema.parse(await worker.request({ do: "describe", function: name }, limit));
    const call = async (input: object, { signal }: { readonly signal: AbortSignal }) =>
      (await worker.request({ do: "call", function: name, input }, signal)) ?? undefined;
    const exported = Object.assign(call, described.description === null ? {} : { description: described.description });
    const tool = toFunctionTool(exported, { ...config, parameters: config.parameters ?? described.parameters });
    createToolbox([tool]);
    return { tools: [tool], close: () => worker.close() };
  } catch (cause) {
    await worker.close();
    if (isBridleError(cause) && cause.code === "config") throw cause;
    throw refuseModule(moduleOf(config, baseDir), getErrorMessage(cause), cause);
  }
}
