import { defineCommand } from "../../command-line/command.ts";
import { exitCodes } from "../../command-line/exit-codes.ts";

export const agentSchemaCommand = defineCommand({
  description: `Print the JSON Schema of an agent's file, so that an editor can complete and check it. The first line of the
file then names it: # yaml-language-server: $schema=./agent.schema.json`,
  flags: {},
  examples: ["bridle agent schema > agent.schema.json"],
  async run(_given, cli) {
    const { agentJsonSchema } = await import("@bridle/agent");
    cli.stdout.write(`${JSON.stringify(agentJsonSchema(), undefined, 2)}\n`);
    return exitCodes.natural;
  },
});
