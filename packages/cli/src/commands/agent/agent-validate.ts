import { type AgentCheck, checkAgentFile, defaultAgentFile, formatProblem, moduleOptions } from "@bridle/app/agents";
import { counted } from "@bridle/protocol";
import type { Cli } from "../../command/cli.ts";
import { defineCommand } from "../../command/command.ts";
import { exitCodes } from "../../command/exit-codes.ts";
import { envFileFlag, jsonFlag } from "../../command/project-flags.ts";
import { printJson, printSentence, screenWidth } from "../../terminal/print-sentence.ts";
import { toPrintableLine } from "../../terminal/printable.ts";
import { trustLines } from "../trust/trust-lines.ts";
import { agentOperand } from "./agent-operand.ts";

export const agentValidateCommand = defineCommand({
  description: `Check an agent file, the files that it references, and the settings and variables that its runs
need. Reports each problem with its file, line and column, and the nearest known name. In a trusted folder, also loads
the code of function tools. Starts no servers and calls no model.`,
  operand: agentOperand,
  flags: { envFile: envFileFlag, json: jsonFlag },
  examples: ["bridle agent validate", "bridle agent validate desk/agent.yaml --json"],
  notes: "Exit codes:\n  0 the file is valid, 3 it has problems",
  async run({ operand: file = defaultAgentFile, flags: { json } }, cli) {
    const check = await checkAgentFile(file, cli, undefined, { loading: moduleOptions(cli) });
    if (json) printJson(check, cli.stdout);
    else printCheck(check, cli);
    return check.ok ? exitCodes.natural : exitCodes.configuration;
  },
});

function printCheck({ file: path, agent, problems, warnings, trust }: AgentCheck, { stdout, stderr }: Cli): void {
  const file = toPrintableLine(path);
  for (const problem of problems) printSentence(formatProblem(problem), stderr);
  if (problems.length > 1) printSentence(`${file} has ${problems.length} problems.`, stderr);
  for (const warning of warnings) printSentence(`Warning: ${warning}`, stderr);
  for (const line of trustLines(trust, screenWidth(stdout))) stdout.write(`${line}\n`);
  if (agent === null) return;
  const entries = agent.toolEntries === 1 ? "1 tool entry" : `${agent.toolEntries} tool entries`;
  printSentence(
    `${file} is valid: the agent ${agent.name}, ${entries}, ${counted(agent.testCases, "test case")}.`,
    stdout,
  );
}
