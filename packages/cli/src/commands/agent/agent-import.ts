import { statSync } from "node:fs";
import { resolve } from "node:path";
import { formatProblem } from "@bridle/app/agents";
import {
  type AgentImport,
  type AgentSurvey,
  type ImportAgentOptions,
  importAgentFile,
  importFormats,
  surveyAgentFiles,
} from "@bridle/app/imports";
import { ConfigError, counted } from "@bridle/protocol";
import { z } from "zod";
import type { Cli } from "../../command/cli.ts";
import { defineCommand } from "../../command/command.ts";
import { exitCodes } from "../../command/exit-codes.ts";
import { jsonFlag } from "../../command/project-flags.ts";
import { printJson, printSentence } from "../../terminal/print-sentence.ts";
import { toPrintableLine } from "../../terminal/printable.ts";

export const agentImportCommand = defineCommand({
  description: `Convert a HoloDeck agent. Writes a new file next to the original, keeps the comments, and reports each
change with its reason. The original does not change.
For a folder, prints as Markdown which files below it load unchanged, load after an import, or fail to load, with
complete examples. Writes no files, and assumes that all variables are set and all files exist.`,
  operand: { name: "format", description: importFormats.join(", ") },
  secondOperand: { name: "path", description: "the agent file or a folder" },
  flags: {
    output: {
      flag: "--output <file>",
      description: "the new file (default: agent.bridle.yaml next to agent.yaml)",
      value: z.string().min(1),
    },
    force: { flag: "--force", description: "replace an existing file", value: z.boolean() },
    dryRun: { flag: "--dry-run", description: "report the changes without writing them", value: z.boolean() },
    json: jsonFlag,
  },
  examples: ["bridle agent import holodeck agent.yaml", "bridle agent import holodeck samples/ --json"],
  notes: "Exit codes:\n  0 the new file is valid, or the table was printed, 3 the new file has problems",
  async run({ operands, flags: { json = false, ...options } }, cli) {
    const path = readPath(operands);
    if (statSync(resolve(cli.cwd, path), { throwIfNoEntry: false })?.isDirectory()) {
      const survey = await surveyAgentFiles(path, cli);
      if (json) printJson(survey, cli.stdout);
      else printSurvey(survey, cli);
      return exitCodes.natural;
    }
    return importOne(path, options, json, cli);
  },
});

function readPath([format, path]: readonly string[]): string {
  const known = importFormats.join(", ");
  const example = `Write it like "bridle agent import ${importFormats[0]} agent.yaml".`;
  if (!importFormats.some((each) => each === format)) {
    throw new ConfigError(`${format ?? "Nothing"} is not a format of agent files: ${known}. ${example}`);
  }
  if (path === undefined) throw new ConfigError(`The path of the agent file is missing. ${example}`);
  return path;
}

async function importOne(path: string, options: ImportAgentOptions, json: boolean, cli: Cli): Promise<number> {
  const result = await importAgentFile(path, options, cli);
  if (json) printJson(result, cli.stdout);
  else printImport(result, cli);
  return result.ok === false ? exitCodes.configuration : exitCodes.natural;
}

function printImport({ file, written, edits, problems, warnings }: AgentImport, { stdout, stderr }: Cli): void {
  for (const { file: changed, line, field, change, reason } of edits) {
    const position = line === null ? changed : `${changed}:${line}`;
    printSentence(`${position}: ${field} ${change}. Reason: ${reason}`, stdout);
  }
  for (const problem of problems) printSentence(formatProblem(problem), stderr);
  for (const warning of warnings) printSentence(`Warning: ${warning}`, stderr);
  const what = edits.length === 0 ? `Nothing in ${file} has to change` : counted(edits.length, "change");
  printSentence(written.length === 0 ? `${what}.` : `${what}. Written to ${written.join(" and ")}.`, stdout);
}

function firstSentence(text: string): string {
  return /^.*?[.!?](?=\s|$)/s.exec(text)?.[0] ?? text;
}

/** Formats text from the files for one cell of a table. */
function cell(text: string): string {
  return toPrintableLine(text).replaceAll("|", "\\|");
}

/** Prints Markdown, so that users can paste it into documents. */
function printSurvey({ files, counts }: AgentSurvey, { stdout }: Cli): void {
  stdout.write("| file | loads | changes | why not unchanged |\n| --- | --- | --- | --- |\n");
  for (const { file, loads, edits, problems } of files) {
    const [first] = problems;
    const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : "";
    const why = first === undefined ? "" : `${firstSentence(first.message)}${more}`;
    const shown = loads === "imported" ? "after the import" : loads;
    stdout.write(`| ${cell(file)} | ${shown} | ${loads === "unchanged" ? "" : edits} | ${cell(why)} |\n`);
  }
  const { unchanged, afterImport, not } = counts;
  stdout.write(`\n${files.length} files: ${unchanged} load unchanged, ${afterImport} after the import, ${not} not.\n`);
}
