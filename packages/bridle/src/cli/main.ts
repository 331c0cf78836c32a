import { saySentence } from "../report/say-sentence.ts";
import type { Cli } from "./cli.ts";
import type { CommandEntry } from "./command.ts";
import { commands } from "./commands.ts";
import { exitCodeHelp, exitCodeOfError, exitCodes } from "./exit-codes.ts";
import { explainSystemError } from "./explain-system-error.ts";
import { UsageError } from "./usage-error.ts";

/** Runs the command that the arguments name and resolves with its exit code. Says every failure in one sentence. */
export async function main(cli: Cli): Promise<number> {
  try {
    return await dispatch(cli);
  } catch (error) {
    const { sentence, code } = await explain(error);
    const { createRedactor } = await import("@bridle/core");
    saySentence(createRedactor({ environment: cli.environment }).text(sentence), cli.stderr);
    return code;
  }
}

async function explain(error: unknown): Promise<{ sentence: string; code: number }> {
  if (error instanceof UsageError) return { sentence: error.message, code: exitCodes.usage };
  const { isBridleError } = await import("@bridle/protocol");
  if (isBridleError(error)) return { sentence: error.message, code: exitCodeOfError(error) };
  const sentence = explainSystemError(error);
  if (sentence !== undefined) return { sentence, code: exitCodes.configuration };
  return { sentence: describe(error), code: exitCodes.backend };
}

async function dispatch(cli: Cli): Promise<number> {
  const [first, ...rest] = cli.arguments;
  if (first === undefined || first === "--help" || first === "-h") return tell(cli, rootHelp());
  if (first === "--version" || first === "-V") return tell(cli, `${cli.version}\n`);
  if (first === "help") return dispatch({ ...cli, arguments: [...rest, "--help"] });
  const { entry, left } = await findCommand(cli.arguments);
  const [command, { parseArguments }] = await Promise.all([entry.load(), import("./parse-arguments.ts")]);
  const parsed = parseArguments(entry, command, left);
  return "help" in parsed ? tell(cli, parsed.help) : command.run(parsed, cli);
}

function tell(cli: Cli, text: string): number {
  cli.stdout.write(text);
  return exitCodes.natural;
}

async function findCommand(words: readonly string[]): Promise<{ entry: CommandEntry; left: readonly string[] }> {
  const isNamed = ({ name }: CommandEntry) => name.split(" ").every((word, index) => word === words[index]);
  const [entry] = commands.filter(isNamed).toSorted((a, b) => b.name.length - a.name.length); // the longest name
  if (entry === undefined) throw await unknownCommand(words);
  return { entry, left: words.slice(entry.name.split(" ").length) };
}

async function unknownCommand([first = "", second]: readonly string[]): Promise<UsageError> {
  const { suggestion } = await import("@bridle/protocol");
  if (first.startsWith("-")) {
    return new UsageError(`Unknown option "${first}". Options stand after the command. See "bridle --help".`);
  }
  const family = commands.flatMap(({ name }) => (name.startsWith(`${first} `) ? [name.slice(first.length + 1)] : []));
  if (family.length === 0) {
    const known = commands.map(({ name }) => name.split(" ")[0] ?? name);
    return new UsageError(`Unknown command "${first}".${suggestion(first, known)} See "bridle --help".`);
  }
  const known = `Known: ${family.map((name) => `bridle ${first} ${name}`).join(", ")}.`;
  if (second === undefined || second.startsWith("-")) {
    return new UsageError(`"bridle ${first}" needs a sub-command. ${known}`);
  }
  return new UsageError(`Unknown sub-command "${first} ${second}".${suggestion(second, family)} ${known}`);
}

function rootHelp(): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  return `Run agents on the Claude Code session you already have, with your tools and nothing else.

Usage: bridle <command> [options]

Commands:
${commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`).join("\n")}

  bridle <command> --help tells the options of a command; bridle --version tells the version.

Examples:
  bridle demo
  bridle run "Say hello."
  bridle run --tools tools.ts "Where is order A-1001?"

${exitCodeHelp}
`;
}

function describe(error: unknown): string {
  const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return `Bridle failed in a way that it should not have. Please report this:\n${reason}`;
}
