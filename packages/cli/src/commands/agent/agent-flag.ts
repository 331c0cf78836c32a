import { z } from "zod";
import type { Flag } from "../../command/command.ts";

/** The flag of commands that run the agent in a file. Options that the file itself sets are excluded; the others override the file. */
export const agentFlag = {
  flag: "--agent <file>",
  description: `run the agent in this YAML file; --model, --steps, --timeout, --backend and --mode override the file`,
  value: z.string().min(1),
  expected: "a file, such as agent.yaml",
  excludes: ["tools", "system", "schema"],
} satisfies Flag;
