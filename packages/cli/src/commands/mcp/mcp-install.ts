import { join } from "node:path";
import { UsageError } from "@bridle/app";
import { type InstalledClient, installClient, installScopes, mcpClients } from "@bridle/app/mcp";
import { withProject } from "@bridle/app/project";
import { z } from "zod";
import type { Cli } from "../../command/cli.ts";
import { defineCommand } from "../../command/command.ts";
import { exitCodes } from "../../command/exit-codes.ts";
import { ownCommand } from "../../command/own-command.ts";
import { jsonFlag, projectFlags } from "../../command/project-flags.ts";
import { confirmDifference, printDifference } from "../../terminal/confirm-difference.ts";
import { printJson, printSentence } from "../../terminal/print-sentence.ts";
import { agentOperand } from "../agent/agent-operand.ts";

export const mcpInstallCommand = defineCommand({
  description: `Add \`bridle mcp\` to the configuration file of an MCP client, or remove it. Shows the changes first,
and asks.
Keeps the comments, order and formatting of the file. Removing the entry restores the previous file.`,
  operand: agentOperand,
  flags: {
    client: { flag: "--client <name>", description: `the client: ${mcpClients.join(", ")}`, value: z.enum(mcpClients) },
    scope: {
      flag: "--scope <scope>",
      description: "user: in all your projects; project: in a file of the project, for everyone (default: user)",
      value: z.enum(installScopes),
    },
    name: {
      flag: "--name <name>",
      description: "the name of the entry (default: bridle)",
      value: z.string().regex(/^[\w-]{1,40}$/),
      expected: "up to 40 letters, digits, dashes and underscores",
    },
    context: {
      flag: "--context",
      description: "serve the databases in bridle.yaml, even if there is an agent.yaml",
      value: z.boolean(),
      excludes: ["remove"],
    },
    allowWrites: {
      flag: "--allow-writes",
      description: "also offer tools that can make changes",
      value: z.boolean(),
      excludes: ["remove"],
    },
    remove: { flag: "--remove", description: "remove the entry", value: z.boolean() },
    dryRun: { flag: "--dry-run", description: "show the changes without writing them", value: z.boolean() },
    yes: { flag: "--yes", description: "do not ask for confirmation", value: z.boolean() },
    json: jsonFlag,
    ...projectFlags,
  },
  examples: [
    "bridle mcp install --client claude-code",
    "bridle mcp install desk/agent.yaml --client vscode --scope project --yes",
    "bridle mcp install --client codex --remove --dry-run",
  ],
  notes: "Exit codes:\n  0 done, or nothing to change, 1 you did not agree, 2 usage, 3 configuration",
  async run({ operand: agent, flags }, cli) {
    const { client, yes = false, json = false, ...options } = flags;
    if (client === undefined) throw new UsageError(`Name the client with --client: ${mcpClients.join(", ")}.`);
    if (agent !== undefined && options.context) throw new UsageError("Name an agent file or --context, not both.");
    const context = await withProject(flags, cli);
    const result = await installClient(
      { ...options, client, agent, ownCommand: wordsOf(ownCommand(cli), options.scope, cli) },
      context,
      {
        confirm: async ({ file, difference }) => {
          if (yes) return true;
          return ask(file, difference, cli);
        },
      },
    );
    if (json) printJson(result, cli.stdout);
    else printResult(result, yes || options.dryRun === true, cli);
    const isRefused = !result.done && result.difference.length > 0 && options.dryRun !== true;
    return isRefused ? exitCodes.otherwise : exitCodes.natural;
  },
});

/**
 * Returns the words with which a client starts the command without a shell. A client starts commands in its own folder, where npx does not
 * find the packages of this folder. A file of the project is shared, so it must not contain a path of this machine.
 */
function wordsOf(
  command: string,
  scope: (typeof installScopes)[number] | undefined,
  { packageRoot }: Pick<Cli, "packageRoot">,
): readonly string[] {
  const isOfPath = command === "bridle" || (command === "npx bridle" && scope === "project");
  return isOfPath ? command.split(" ") : ["node", join(packageRoot, "bin", "bridle.js")];
}

async function ask(file: string, difference: readonly string[], cli: Cli): Promise<boolean> {
  if (!cli.readLine)
    throw new UsageError("There is no terminal to ask. Add --yes, or --dry-run to see the difference.");
  printDifference({ file, difference }, cli.stderr);
  return confirmDifference(cli);
}

function printResult(result: InstalledClient, isUnseen: boolean, { stdout }: Pick<Cli, "stdout">): void {
  if (isUnseen && result.difference.length > 0) printDifference(result, stdout);
  printSentence(describeResult(result), stdout);
}

function describeResult({ difference, done, action, file, client }: InstalledClient): string {
  const isInstall = action === "install";
  if (difference.length === 0) return `${file} ${isInstall ? "has the entry already" : "has no such entry"}.`;
  if (!done) return "Nothing was changed.";
  return `${isInstall ? "Added" : "Removed"}. Start ${client} again.`;
}
