import { describeDocuments } from "@bridle/app/documents";
import { withProject } from "@bridle/app/project";
import { defineCommand } from "../../command/command.ts";
import { exitCodes } from "../../command/exit-codes.ts";
import { nameCommands } from "../../command/name-commands.ts";
import { jsonFlag } from "../../command/project-flags.ts";
import { printJson } from "../../terminal/print-sentence.ts";
import { agentOperand } from "../agent/agent-operand.ts";
import { documentsFlags } from "./documents-flags.ts";
import { formatIndexStatus } from "./format-documents.ts";

export const documentsStatusCommand = defineCommand({
  description: `Show the state and location of an agent's document indexes, and the files that the last update skipped.
Reads no documents.`,
  operand: agentOperand,
  flags: { ...documentsFlags, json: jsonFlag },
  examples: ["bridle documents status", "bridle documents status desk/agent.yaml --json"],
  async run({ operand: file, flags: { json, tool, ...location } }, cli) {
    const status = await describeDocuments({ file, tool }, await withProject(location, cli));
    if (json) printJson(status, cli.stdout);
    else cli.stdout.write(nameCommands(status.documents.map(formatIndexStatus).join(""), cli.stdout));
    return exitCodes.natural;
  },
});
