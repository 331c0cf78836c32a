import { configJsonSchema } from "@bridle/project";
import { defineCommand } from "../../command-line/command.ts";
import { exitCodes } from "../../command-line/exit-codes.ts";

export const configSchemaCommand = defineCommand({
  description: "Print the JSON Schema of bridle.yaml, so that an editor can complete and check it.",
  flags: {},
  examples: ["bridle config schema > bridle.schema.json"],
  async run(_given, cli) {
    cli.stdout.write(`${JSON.stringify(configJsonSchema(), undefined, 2)}\n`);
    return exitCodes.natural;
  },
});
