import { UsageError } from "@bridle/app";
import type { Cli } from "../command/cli.ts";
import type { CommandEntry } from "../command/command.ts";
import { exitCodeHelp, exitCodeOfError, exitCodes } from "../command/exit-codes.ts";
import { explainSystemError } from "../command/explain-system-error.ts";
import { nameCommands, nameNearPath, wholeCommands } from "../command/name-commands.ts";
import { QuestionInterrupted } from "../command/question-interrupted.ts";
import { printJson, printSentence, screenWidth } from "../terminal/print-sentence.ts";
import { toPrintable } from "../terminal/printable.ts";
import { WatchedOutput } from "../terminal/watched-output.ts";
import { trustForOnce } from "./ask-for-trust.ts";
import { commands } from "./commands.ts";
import { withEnvironmentFile } from "./environment-file.ts";

/** Runs the command in the arguments, and resolves with its exit code. Prints every failure as a sentence. */
export async function main(cli: Cli): Promise<number> {
  if (!wantsDocument(cli)) return (await perform(cli)).code;
  const { override } = await import("@bridle/protocol");
  const stdout = new WatchedOutput(cli.stdout);
  const { code, failure } = await perform(override(cli, { stdout }));
  if (code !== exitCodes.natural && !stdout.isUsed) printJson({ error: failure ?? explainCode(code) }, cli.stdout);
  return code;
}

/** Whether to print a failure as JSON, too, as `--json` requires. `bridle chat` prints events, so its failures are only sentences. */
function wantsDocument({ arguments: words }: Cli): boolean {
  const end = words.indexOf("--");
  return words[0] !== "chat" && words.slice(0, end === -1 ? words.length : end).includes("--json");
}

interface Failure {
  readonly name: string;
  readonly code: string;
  readonly message: string;
  readonly retryable: boolean;
}

async function perform(cli: Cli): Promise<{ readonly code: number; readonly failure?: Failure }> {
  try {
    return { code: await dispatch(cli) };
  } catch (error) {
    const { sentence, code } = await explain(error);
    const { createRedactor } = await import("@bridle/app/redaction");
    const text = createRedactor({ environment: cli.environment }).text(sentence);
    if (isTrustError(error)) await printRefusal(text, cli);
    else printSentence(text, cli.stderr);
    return { code, failure: { ...reportOf(error), message: text.trim() } };
  }
}

/** Describes the failure of a command that printed its reason to standard error, and no JSON. */
function explainCode(code: number): Failure {
  const interrupt = (["SIGINT", "SIGTERM", "SIGHUP"] as const).find((name) => exitCodes[name] === code);
  if (interrupt === undefined) {
    const message = `The command ended with exit code ${code}. The reason is on standard error.`;
    return { name: "Error", code: "unexpected", message, retryable: false };
  }
  const message = `The command was interrupted by ${interrupt}.`;
  return { name: "Interrupted", code: "interrupted", message, retryable: true };
}

function reportOf(error: unknown): Omit<Failure, "message"> {
  if (error instanceof UsageError) return { name: "UsageError", code: "usage", retryable: false };
  if (error instanceof QuestionInterrupted) return { name: "Interrupted", code: "interrupted", retryable: true };
  if (!(error instanceof Error)) return { name: "Error", code: "unexpected", retryable: false };
  const { name } = error;
  const code = "code" in error && typeof error.code === "string" ? error.code : "unexpected";
  return { name, code, retryable: "retryable" in error && error.retryable === true };
}

function isTrustError(error: unknown): boolean {
  return error instanceof Error && "field" in error && error.field === "trust";
}

/** Prints a refusal, whose list of effects contains text from the files. */
async function printRefusal(text: string, { stderr, cwd }: Pick<Cli, "stderr" | "cwd">): Promise<void> {
  const { refusalRows } = await import("../questions/trust-question.ts");
  const named = toPrintable(nameCommands(nameNearPath(text, cwd), stderr));
  stderr.write(`${refusalRows(named, screenWidth(stderr), wholeCommands(stderr)).join("\n")}\n`);
}

async function explain(error: unknown): Promise<{ sentence: string; code: number }> {
  if (error instanceof UsageError) return { sentence: error.message, code: exitCodes.usage };
  if (error instanceof QuestionInterrupted) {
    return { sentence: `\n${error.message}`, code: exitCodes[error.interrupt] }; // after the line of the question
  }
  const { isBridleError } = await import("@bridle/protocol");
  if (isBridleError(error)) return { sentence: error.message, code: exitCodeOfError(error) };
  const sentence = explainSystemError(error);
  if (sentence !== undefined) return { sentence, code: exitCodes.configuration };
  return { sentence: describeFailure(error), code: exitCodes.backend };
}

async function dispatch(cli: Cli): Promise<number> {
  const [first, ...rest] = cli.arguments;
  if (first === undefined || first === "--help" || first === "-h") return print(cli, formatRootHelp());
  if (first === "--version" || first === "-V") return print(cli, `${cli.version}\n`);
  if (first === "help") return dispatch({ ...cli, arguments: [...rest, "--help"] });
  const { entry, rest: words } = await findCommand(cli.arguments);
  const [command, { parseArguments }] = await Promise.all([entry.load(), import("../command/parse-arguments.ts")]);
  const parsed = parseArguments(entry, command, words);
  if ("help" in parsed) return print(cli, parsed.help);
  const { override } = await import("@bridle/protocol");
  const trusting = parsed.flags.trust === true ? override(cli, { trust: trustForOnce(cli) }) : cli;
  try {
    return await command.run(parsed, await withEnvironmentFile(trusting, command, parsed));
  } finally {
    await trusting.trust?.close?.();
  }
}

function print(cli: Cli, text: string): number {
  cli.stdout.write(nameCommands(text, cli.stdout));
  return exitCodes.natural;
}

async function findCommand(words: readonly string[]): Promise<{ entry: CommandEntry; rest: readonly string[] }> {
  const isNamed = ({ name }: CommandEntry) => name.split(" ").every((word, index) => word === words[index]);
  const [entry] = commands.filter(isNamed).toSorted((a, b) => b.name.length - a.name.length); // the longest name
  const [first, second] = words;
  const alone = second === undefined || second.startsWith("-");
  const listing = alone && commands.find(({ name, isDefault }) => isDefault && name.startsWith(`${first} `));
  if (entry === undefined && listing) return { entry: listing, rest: words.slice(1) };
  if (entry === undefined) throw await unknownCommand(words);
  return { entry, rest: words.slice(entry.name.split(" ").length) };
}

async function unknownCommand([first = "", second]: readonly string[]): Promise<UsageError> {
  const { suggestion } = await import("@bridle/protocol");
  if (first.startsWith("-")) {
    return new UsageError(`Unknown option "${first}". Write options after the command. See "bridle --help".`);
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

function formatRootHelp(): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  return `Run agents on the Claude Code session you already have, with your tools and nothing else.

Usage: bridle <command> [options]

Commands:
${commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`).join("\n")}

  bridle <command> --help shows the options of a command; bridle --version shows the version.

Examples:
  bridle demo
  bridle run "Say hello."
  bridle run --tools tools.ts "Where is order A-1001?"

${exitCodeHelp}
`;
}

function describeFailure(error: unknown): string {
  const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return `Bridle failed unexpectedly. Please report this:\n${reason}`;
}
