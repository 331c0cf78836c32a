import type { AgentDefinition } from "@bridle/agent";
import { isBridleError } from "@bridle/protocol";
import { z } from "zod";
import { agentOperand, defaultAgentFile } from "../agent/agent-operand.ts";
import { formatProblem, type TellableProblem, toTellable } from "../agent/format-problems.ts";
import { loadAgentFile } from "../agent/load-agent-file.ts";
import type { Cli } from "../cli/cli.ts";
import { defineCommand } from "../cli/command.ts";
import { exitCodes } from "../cli/exit-codes.ts";
import { saySentence } from "../report/say-sentence.ts";

export const agentValidateCommand = defineCommand({
  description: `Check an agent's file and the files that it names: everything that is wrong is told at once, each with file,
line, column and the nearest known name. Nothing is started, and no model is called.`,
  operand: agentOperand,
  flags: { json: { flag: "--json", description: "print it as JSON", value: z.boolean() } },
  examples: ["bridle agent validate", "bridle agent validate desk/agent.yaml --json"],
  notes: "Exit codes:\n  0 nothing is wrong, 3 something is",
  async run({ operand: file = defaultAgentFile, flags: { json } }, cli) {
    const checked = await check(file, cli);
    const { problems } = checked;
    if (json) {
      const isValid = problems.length === 0;
      const warnings = checked.agent?.warnings ?? [];
      cli.stdout.write(`${JSON.stringify({ file, isValid, problems, warnings }, undefined, 2)}\n`);
    } else tell(file, checked, cli);
    return problems.length === 0 ? exitCodes.natural : exitCodes.configuration;
  },
});

interface Checked {
  readonly agent?: AgentDefinition;
  readonly problems: readonly TellableProblem[];
}

async function check(file: string, cli: Cli): Promise<Checked> {
  const { AgentFileError } = await import("@bridle/agent");
  try {
    return { agent: await loadAgentFile(file, cli), problems: [] };
  } catch (error) {
    if (error instanceof AgentFileError) return { problems: error.problems.map(toTellable) };
    if (!isBridleError(error) || error.code !== "config") throw error;
    return { problems: [{ file, line: null, column: null, field: null, message: error.message, nearest: null }] };
  }
}

function tell(file: string, { agent, problems }: Checked, { stdout, stderr }: Cli): void {
  for (const problem of problems) saySentence(formatProblem(problem), stderr);
  if (problems.length > 1) saySentence(`${file} has ${problems.length} problems.`, stderr);
  for (const warning of agent?.warnings ?? []) saySentence(`Warning: ${warning}`, stderr);
  if (agent) saySentence(`${file} is valid: the agent ${agent.config.name}, ${contents(agent)}.`, stdout);
}

function contents({ config: { tools = [], test_cases: cases = [] } }: AgentDefinition): string {
  const counted = (count: number, one: string, more: string) => `${count} ${count === 1 ? one : more}`;
  return `${counted(tools.length, "entry", "entries")} of tools, ${counted(cases.length, "test case", "test cases")}`;
}
