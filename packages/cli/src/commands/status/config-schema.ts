import { configJsonSchema } from "@bridle/app/status";
import { defineCommand } from "../../command/command.ts";
import { exitCodes } from "../../command/exit-codes.ts";
import { printJson } from "../../terminal/print-sentence.ts";

export const configSchemaCommand = defineCommand({
  description: "Print the JSON Schema of bridle.yaml. An editor can use it to complete and check the file.",
  flags: {},
  examples: ["bridle config schema > bridle.schema.json"],
  async run(_given, cli) {
    printJson(configJsonSchema(), cli.stdout);
    return exitCodes.natural;
  },
});
