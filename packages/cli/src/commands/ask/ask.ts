import { withProject } from "@bridle/app/project";
import type { QuestionPlan } from "@bridle/app/warehouses";
import { z } from "zod";
import { defineCommand } from "../../command/command.ts";
import { projectFlags } from "../../command/project-flags.ts";
import { agentFlags } from "../run/agent-flags.ts";
import { readPrompt } from "../run/read-prompt.ts";
import { askAndPrint } from "./ask-and-print.ts";

const { role, model, policy, mode, steps, backend, auth, rehearse, timeout } = agentFlags;

export const askCommand = defineCommand({
  description: `Ask an agent a question about your data. The agent searches the results of the scan, reads tables, and
runs read-only SQL. The SQL statements behind the answer are printed after it. Run bridle context scan first.`,
  operand: { name: "question", description: 'the question; "-" reads it from standard input' },
  flags: {
    connection: {
      flag: "--connection <name>",
      description: "the connection that the agent may read (default: all)",
      value: z.string().min(1),
      expected: "the name of a connection",
    },
    role,
    model,
    policy,
    mode,
    steps,
    backend,
    auth,
    rehearse,
    timeout,
    json: { flag: "--json", description: "print the answer, its statements and the run as JSON", value: z.boolean() },
    ...projectFlags,
  },
  examples: [
    'bridle ask "What did we sell by category in 2025, net of refunds?"',
    'bridle ask "How many customers?" --json',
  ],
  async run({ operand, flags }, cli) {
    const { connection, json, projectDir, namespace, trust: _trust, envFile: _envFile, ...choices } = flags;
    const prompt = await readPrompt(operand, cli.stdin);
    const opened = await withProject({ projectDir, namespace }, cli);
    const question: QuestionPlan = { ...choices, connection, prompt };
    return askAndPrint(question, json ?? false, opened);
  },
});
