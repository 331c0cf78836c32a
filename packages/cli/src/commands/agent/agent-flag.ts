import { z } from "zod";
import { type Flag } from "../../command-line/command.ts";

/** For commands that run an agent of a file. What the file says is not said twice; other options stand over it. */
export const agentFlag = {
  flag: "--agent <file>",
  description: `the agent of a YAML file: its instructions, tools, rules and limits; --model, --steps, --timeout,
--backend and --mode stand over what it says`,
  value: z.string().min(1),
  expected: "a file, such as agent.yaml",
  excludes: ["tools", "system", "schema"],
} satisfies Flag;
