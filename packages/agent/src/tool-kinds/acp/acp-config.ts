import { z } from "zod";
import { toolName } from "../../config/fields.ts";

/** A tool that is another program's agent, called through the Agent Client Protocol. */
export const acpToolConfig = z.strictObject({
  type: z.literal("acp").describe("Another program's agent that supports the Agent Client Protocol."),
  name: toolName(48),
  description: z.string().min(1).describe("A description of the agent, for the model that calls it."),
  command: z.string().min(1).describe("The program that starts the agent, once for each call."),
  args: z.array(z.string()).optional().describe("The arguments of the program."),
  env: z
    .record(z.string().regex(/^[A-Za-z_]\w*$/, "must be a name of letters, digits and _"), z.string())
    .optional()
    .describe("Variables for the program. It gets only these, and the ones that every process needs to start."),
  timeout: z
    .number()
    .positive()
    .max(86_400)
    .default(3600)
    .describe("Seconds after which a call is stopped. Default: 3600."),
});

export type AcpToolConfig = z.output<typeof acpToolConfig>;

/** The kinds of actions for which an agent can request permission. */
export const acpActions = [
  "read",
  "edit",
  "delete",
  "move",
  "search",
  "execute",
  "think",
  "fetch",
  "switch_mode",
  "other",
];

/** Returns the name of an action in rules. */
export function acpActionName({ name }: Pick<AcpToolConfig, "name">, action: string): string {
  return `${name}_${action}`;
}
