import { listTrust, revokeTrust, showTrust, trustFolder } from "@bridle/app/trust";
import { counted } from "@bridle/protocol";
import { z } from "zod";
import type { Cli } from "../../command/cli.ts";
import { defineCommand } from "../../command/command.ts";
import { exitCodes } from "../../command/exit-codes.ts";
import { jsonFlag } from "../../command/project-flags.ts";
import { effectRows } from "../../questions/trust-question.ts";
import { printJson, printSentence, screenWidth } from "../../terminal/print-sentence.ts";

export const trustCommand = defineCommand({
  description: `Trust a folder: allow its bridle.yaml and agent.yaml to run programs, send data and read variables, as
listed.
Trust applies to the current content. If the effects of the files change, Bridle asks you again.
The decision is stored in your user folder, not in the project.`,
  operand: { name: "path", description: "a folder or an agent file (default: this folder)" },
  flags: {
    show: {
      flag: "--show",
      description: "show the effects of the files without changing anything",
      value: z.boolean(),
      excludes: ["list", "revoke"],
    },
    revoke: {
      flag: "--revoke",
      description: "stop trusting the folder and everything below it",
      value: z.boolean(),
      excludes: ["list"],
    },
    author: {
      flag: "--author",
      description: "trust the folder as the author of its code, and do not ask about your own edits",
      value: z.boolean(),
      excludes: ["show", "list", "revoke"],
    },
    list: { flag: "--list", description: "list the trusted files", value: z.boolean() },
    json: jsonFlag,
  },
  examples: [
    "bridle trust --show",
    "bridle trust",
    "bridle trust --author",
    "bridle trust agents/desk.yaml",
    "bridle trust --list",
    "bridle trust --revoke desk",
  ],
  notes:
    "Exit codes:\n  0 done, 3 a file has problems or cannot be trusted; with --show: 3 if something is not trusted",
  async run({ operand: path, flags: { show, revoke, author, list, json } }, cli) {
    if (list) return printList(json, cli);
    if (revoke) return printRevoked(path, json, cli);
    return printTrust(path, { show, author, json }, cli);
  },
});

interface Shown {
  readonly show: boolean | undefined;
  readonly author: boolean | undefined;
  readonly json: boolean | undefined;
}

async function printTrust(path: string | undefined, { show, author, json }: Shown, cli: Cli): Promise<number> {
  const { report, text } = await (show ? showTrust(path, cli) : trustFolder(path, cli, { isAuthor: author }));
  if (json) printJson(report, cli.stdout);
  else {
    if (text !== "") cli.stdout.write(`${effectRows(text, screenWidth(cli.stdout)).join("\n")}\n`);
    printSentence(verdict(report.effects.length, report.isTrusted), cli.stdout);
  }
  return report.isTrusted ? exitCodes.natural : exitCodes.configuration;
}

function verdict(effects: number, isTrusted: boolean): string {
  if (effects === 0) return "The files run, send and read nothing that needs trust.";
  return `${counted(effects, "effect")}: ${isTrusted ? "trusted" : "not trusted. Run bridle trust if you know who wrote the files"}.`;
}

async function printRevoked(path: string | undefined, json: boolean | undefined, cli: Cli): Promise<number> {
  const revoked = await revokeTrust(path, cli);
  if (json) printJson({ revoked }, cli.stdout);
  else
    printSentence(
      revoked.length === 0 ? "Nothing there was trusted." : `No longer trusted: ${revoked.join(", ")}.`,
      cli.stdout,
    );
  return exitCodes.natural;
}

async function printList(json: boolean | undefined, cli: Cli): Promise<number> {
  const files = await listTrust(cli);
  if (json) printJson({ files }, cli.stdout);
  else if (files.length === 0) printSentence("No folder is trusted.", cli.stdout);
  for (const { path, at, effects } of json ? [] : files) {
    printSentence(`${path}  (${counted(effects.length, "effect")}, ${at.slice(0, 10)})`, cli.stdout);
  }
  return exitCodes.natural;
}
