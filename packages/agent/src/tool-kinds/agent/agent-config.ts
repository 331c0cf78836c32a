import { z } from "zod";
import { toolName } from "../../config/fields.ts";

/** A tool that is another agent. */
export const agentToolConfig = z.strictObject({
  type: z.literal("agent").describe("Another agent, which works on a task in a separate conversation."),
  name: toolName(),
  description: z
    .string()
    .min(1)
    .optional()
    .describe("A description of the agent, for the model that calls it. Default: the description in the agent file."),
  file: z.string().min(1).describe("The agent file. Relative to this file's folder."),
  max_steps: z
    .int()
    .min(1)
    .optional()
    .describe(
      "The maximum number of responses in one call. The limits in the agent file and those of the caller also apply. Default: none.",
    ),
  max_cost_usd: z
    .number()
    .positive()
    .optional()
    .describe("The cost in US dollars at which a call ends. Default: the rest of the caller's budget."),
  timeout: z
    .number()
    .positive()
    .max(86_400)
    .optional()
    .describe(
      "Seconds after which a call is stopped, unless the limit in the agent file is shorter. Default: the limit in the agent file.",
    ),
});

export type AgentToolConfig = z.infer<typeof agentToolConfig>;
