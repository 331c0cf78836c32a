import {
  defineTool,
  type OpenedTools,
  type ToolContext,
  type ToolOpeningContext,
  type ToolOutput,
  type TrustedFolder,
} from "@bridle/protocol";
import { z } from "zod";
import { inheritedVariables } from "../../processes/inherited-variables.ts";
import { pythonCache } from "../../processes/python-cache.ts";
import { AcpCall } from "./acp-call.ts";
import { type AcpToolConfig, acpActionName, acpActions } from "./acp-config.ts";

/** Opens another program's agent as a tool. The program starts with each call. */
export async function openAcpTool(
  config: AcpToolConfig,
  { environment, isRehearsed = false, trusted }: Pick<ToolOpeningContext, "environment" | "isRehearsed" | "trusted">,
): Promise<OpenedTools> {
  const { name, description, env, timeout } = config;
  const tool = defineTool({
    name,
    description,
    input: z.object({
      task: z
        .string()
        .min(1)
        .describe("The task, with everything that is needed for it. The agent does not see this conversation."),
    }),
    annotations: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
    nestedTools: acpActions.map((action) => acpActionName(config, action)),
    timeoutMs: timeout * 1000,
    execute: ({ task }, context) => {
      if (isRehearsed) throw new Error("This agent calls its own model, so it cannot be rehearsed.");
      return callOnce(
        config,
        task,
        { ...inheritedVariables(environment), ...pythonCache(environment), ...env },
        { trusted, context },
      );
    },
  });
  return { tools: [tool], close: async () => {} };
}

async function callOnce(
  config: AcpToolConfig,
  task: string,
  env: Record<string, string | undefined>,
  { trusted, context }: { readonly trusted: TrustedFolder; readonly context: ToolContext },
): Promise<ToolOutput> {
  const call = new AcpCall(config, trusted, context);
  try {
    return await call.run(task, env);
  } finally {
    await call.close();
  }
}
