import { readAgentJsonSchema } from "@bridle/app/agents";
import { defineCommand } from "../../command/command.ts";
import { exitCodes } from "../../command/exit-codes.ts";
import { printJson } from "../../terminal/print-sentence.ts";

export const agentSchemaCommand = defineCommand({
  description: `Print the JSON Schema of an agent file. An editor can use it to complete and check the file if its first line
names the schema: # yaml-language-server: $schema=./agent.schema.json`,
  flags: {},
  examples: ["bridle agent schema > agent.schema.json"],
  async run(_given, cli) {
    printJson(await readAgentJsonSchema(), cli.stdout);
    return exitCodes.natural;
  },
});
