import { backendNames, defaultAgentFile, describeAgentFile } from "@bridle/app/agents";
import { z } from "zod";
import { defineCommand } from "../../command/command.ts";
import { exitCodes } from "../../command/exit-codes.ts";
import { jsonFlag, projectFlags } from "../../command/project-flags.ts";
import { createStderrLogger } from "../../terminal/logger.ts";
import { printJson, printSentence } from "../../terminal/print-sentence.ts";
import { agentOperand } from "./agent-operand.ts";
import { formatAgent } from "./format-agent.ts";

export const agentShowCommand = defineCommand({
  description: `Show an agent's model, backend, tools, rules and instructions, without secrets. Opens its tools and starts their
servers, but calls no model. A file with problems is shown without opening its tools.`,
  operand: agentOperand,
  flags: {
    backend: {
      flag: "--backend <backend>",
      description: `use this host instead of the file's: ${backendNames.join(", ")}`,
      value: z.enum(backendNames),
    },
    projectDir: projectFlags.projectDir,
    json: jsonFlag,
  },
  examples: ["bridle agent show", "bridle agent show desk/agent.yaml --json"],
  notes: "Exit codes:\n  0 a run can start, 3 the file has problems",
  async run({ operand: file = defaultAgentFile, flags: { json, ...options } }, cli) {
    const { stdout, stderr } = cli;
    const agent = await describeAgentFile(file, cli, { ...options, logger: createStderrLogger(stderr) });
    if (json) printJson(agent, stdout);
    else stdout.write(formatAgent(agent, stdout.columns));
    for (const problem of agent.problems) printSentence(problem, stderr);
    return agent.problems.length === 0 ? exitCodes.natural : exitCodes.configuration;
  },
});
