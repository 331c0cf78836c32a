import { z } from "zod";
import type { Flag } from "../../command/command.ts";

/** For commands that run the agent of a file. Options that the file sets itself are excluded; the others override it. */
export const agentFlag = {
  flag: "--agent <file>",
  description: `run the agent in this YAML file; --model, --steps, --timeout, --backend and --mode override the file`,
  value: z.string().min(1),
  expected: "a file, such as agent.yaml",
  excludes: ["tools", "system", "schema"],
} satisfies Flag;
