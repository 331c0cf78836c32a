import { backendNames } from "@bridle/project";
import { z } from "zod";
import { agentOperand, defaultAgentFile } from "../agent/agent-operand.ts";
import { formatAgent } from "../agent/format-agent.ts";
import { loadAgentFile } from "../agent/load-agent-file.ts";
import { defineCommand } from "../cli/command.ts";
import { exitCodes } from "../cli/exit-codes.ts";
import { projectFlags } from "../cli/project-flag.ts";
import { createStderrLogger } from "../run/logger.ts";
import { loadingIn } from "../tools-file/load-tools.ts";

export const agentShowCommand = defineCommand({
  description: `Show what of an agent will be used: model, backend, tools, rules and instructions, and no secret. Its tools are
opened, which starts the servers among them; no model is called.`,
  operand: agentOperand,
  flags: {
    backend: {
      flag: "--backend <backend>",
      description: `the host of the model, instead of the file's: ${backendNames.join(", ")}`,
      value: z.enum(backendNames),
    },
    projectDir: projectFlags.projectDir,
    json: { flag: "--json", description: "print it as JSON", value: z.boolean() },
  },
  examples: ["bridle agent show", "bridle agent show desk/agent.yaml --json"],
  async run({ operand: file = defaultAgentFile, flags: { json, ...options } }, cli) {
    const { describeAgent } = await import("@bridle/agent");
    const definition = await loadAgentFile(file, cli);
    const logger = createStderrLogger(cli.stderr);
    const agent = await describeAgent(definition, { ...options, logger, loading: loadingIn(cli) });
    cli.stdout.write(json ? `${JSON.stringify(agent, undefined, 2)}\n` : formatAgent(agent, cli.stdout.columns));
    return exitCodes.natural;
  },
});
