import { backendNames } from "@bridle/project";
import { agentOperand, defaultAgentFile } from "./agent-operand.ts";
import { formatAgent } from "./format-agent.ts";
import { loadAgentFile } from "@bridle/app/agents";
import { defineCommand } from "../../command-line/command.ts";
import { exitCodes } from "../../command-line/exit-codes.ts";
import { projectFlags } from "../../command-line/project-flags.ts";
import { createStderrLogger } from "../../terminal/logger.ts";
import { loadingIn } from "@bridle/app/modules";
import { z } from "zod";

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
