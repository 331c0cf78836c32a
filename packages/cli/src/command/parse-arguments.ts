import { UsageError } from "@bridle/app";
import { suggestion } from "@bridle/protocol";
import { CommanderError, Command as Parser } from "commander";
import type { z } from "zod";
import type { Command, CommandEntry, Flag, Given, Operand } from "./command.ts";

/** Parses the arguments of one command. Throws UsageError. For an unknown name, the message contains the nearest known name. */
export function parseArguments(
  { name }: Pick<CommandEntry, "name">,
  command: Command,
  words: readonly string[],
): Given<Command["flags"]> | { readonly help: string } {
  const parser = createParser(name, command);
  const end = command.rest === undefined ? -1 : words.indexOf("--");
  const [own, rest] = end < 0 ? [words, []] : [words.slice(0, end), words.slice(end + 1)];
  try {
    parser.parse([...own], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.code === "commander.helpDisplayed") return { help: formatHelp(parser, command) };
    throw new UsageError(`${explainParserError(error, name, command)} See "bridle ${name} --help".`);
  }
  const raw: Readonly<Record<string, unknown>> = parser.opts();
  refuseExcluded(raw, command);
  const values = Object.entries(raw).map(([key, text]) => [key, checkValue(findFlag(command, key), text)]);
  return { operand: parser.args[0], operands: parser.args, rest, flags: Object.fromEntries(values) };
}

function createParser(name: string, command: Command): Parser {
  const { description, rest, flags } = command;
  const parser = new Parser(`bridle ${name}`)
    .description(joinLines(description))
    .exitOverride()
    .showSuggestionAfterError(false);
  parser.configureOutput({ writeOut() {}, writeErr() {} }).helpOption("-h, --help", "show this help");
  for (const { name, description, isRepeated } of listOperands(command)) {
    parser.argument(isRepeated ? `[${name}...]` : `[${name}]`, description);
  }
  for (const each of Object.values(flags)) addFlag(parser, each);
  if (rest !== undefined) parser.usage(`${parser.usage()} [-- ${rest}]`);
  return parser;
}

/** Joins the lines of a description, because they are wrapped to the width of the screen. A line break after a sentence is kept. */
function joinLines(text: string): string {
  return text.replaceAll(/(?<![.:\n])\n(?=\S)/g, " ");
}

function addFlag(parser: Parser, { flag, description, isRepeated = false }: Flag): void {
  if (!isRepeated) parser.option(flag, description);
  else parser.option(flag, description, (value: string, before: string[] = []) => [...before, value]);
}

function listOperands({ operand, secondOperand }: Command): Operand[] {
  return [operand, secondOperand].filter((each) => each !== undefined);
}

function formatHelp(parser: Parser, { examples, notes }: Command): string {
  const lines = [parser.helpInformation(), "Examples:", ...examples.map((line) => `  ${line}`)];
  return `${[...lines, ...(notes === undefined ? [] : ["", notes])].join("\n")}\n`;
}

/** Rewrites the parser's messages, which name the wrong word in single quotes. */
function explainParserError({ code, message }: CommanderError, name: string, command: Command): string {
  const subject = /'([^']*)'/.exec(message)?.[1] ?? "";
  if (code === "commander.unknownOption") {
    const known = [...Object.values(command.flags).map(longName), "--help"];
    return `Unknown option "${subject}".${suggestion(subject, known)}`;
  }
  if (code === "commander.optionMissingArgument") return `${subject} has no value.`;
  if (code === "commander.excessArguments") {
    const operand = listOperands(command).at(-1);
    return operand
      ? `There is more than one ${operand.name}. Put it in quotes, and write options before or after it.`
      : `"bridle ${name}" only takes options.`;
  }
  return `${message.replace(/^error: /, "")}.`;
}

function refuseExcluded(raw: Readonly<Record<string, unknown>>, command: Command): void {
  for (const [key, { excludes = [], ...flag }] of Object.entries(command.flags)) {
    const other = raw[key] === undefined ? undefined : excludes.find((each) => raw[each] !== undefined);
    if (other === undefined) continue;
    throw new UsageError(`${longName(flag)} and ${longName(findFlag(command, other))} cannot be combined. Keep one.`);
  }
}

function checkValue(flag: Flag, text: unknown): unknown {
  const checked = flag.value.safeParse(text);
  if (checked.success) return checked.data;
  const names = allowedNames(checked.error);
  const expected = names ? `one of ${names.join(", ")}` : (flag.expected ?? "another value");
  const near = names ? suggestion(String(text), names) : "";
  const found = JSON.stringify(findWrongValue(text, checked.error));
  throw new UsageError(`${longName(flag)}: expected ${expected}, got ${found}.${near}`);
}

/** Finds the wrong value. For a repeated flag, this is one of its values. */
function findWrongValue(given: unknown, { issues: [issue] }: z.ZodError): unknown {
  const [index] = issue?.path ?? [];
  return Array.isArray(given) && typeof index === "number" ? given[index] : given;
}

function allowedNames({ issues: [issue] }: z.ZodError): string[] | undefined {
  return issue?.code === "invalid_value" ? issue.values.map(String) : undefined;
}

function findFlag({ flags }: Command, key: string): Flag {
  const flag = flags[key];
  if (flag === undefined) throw new Error(`The flag "${key}" is not the camel case of its name.`);
  return flag;
}

function longName({ flag }: Pick<Flag, "flag">): string {
  return flag.split(" ")[0] ?? flag;
}
