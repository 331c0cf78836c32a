import { suggestion } from "@bridle/protocol";
import { CommanderError, Command as Parser } from "commander";
import type { z } from "zod";
import type { Command, CommandEntry, Flag, Given, Operand } from "./command.ts";
import { UsageError } from "./usage-error.ts";

/** What the arguments of one command say. Throws UsageError, with the nearest match where a name is not known. */
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
    if (error.code === "commander.helpDisplayed") return { help: helpOf(parser, command) };
    throw new UsageError(`${complaint(error, name, command)} See "bridle ${name} --help".`);
  }
  const raw: Readonly<Record<string, unknown>> = parser.opts();
  refuseRivals(raw, command);
  const values = Object.entries(raw).map(([key, text]) => [key, checkValue(flagOf(command, key), text)]);
  return { operand: parser.args[0], operands: parser.args, rest, flags: Object.fromEntries(values) };
}

function createParser(name: string, command: Command): Parser {
  const { description, rest, flags } = command;
  const parser = new Parser(`bridle ${name}`).description(description).exitOverride().showSuggestionAfterError(false);
  parser.configureOutput({ writeOut() {}, writeErr() {} }).helpOption("-h, --help", "show this help");
  for (const { name, description, isRepeated } of operandsOf(command)) {
    parser.argument(isRepeated ? `[${name}...]` : `[${name}]`, description);
  }
  for (const each of Object.values(flags)) addFlag(parser, each);
  if (rest !== undefined) parser.usage(`${parser.usage()} [-- ${rest}]`);
  return parser;
}

function addFlag(parser: Parser, { flag, description, isRepeated = false }: Flag): void {
  if (!isRepeated) parser.option(flag, description);
  else parser.option(flag, description, (value: string, before: string[] = []) => [...before, value]);
}

function operandsOf({ operand, secondOperand }: Command): Operand[] {
  return [operand, secondOperand].filter((each) => each !== undefined);
}

function helpOf(parser: Parser, { examples, notes }: Command): string {
  const lines = [parser.helpInformation(), "Examples:", ...examples.map((line) => `  ${line}`)];
  return `${[...lines, ...(notes === undefined ? [] : ["", notes])].join("\n")}\n`;
}

/** The parser's messages name what is wrong in single quotes; the sentence around it is ours. */
function complaint({ code, message }: CommanderError, name: string, command: Command): string {
  const subject = /'([^']*)'/.exec(message)?.[1] ?? "";
  if (code === "commander.unknownOption") {
    const known = [...Object.values(command.flags).map(longName), "--help"];
    return `Unknown option "${subject}".${suggestion(subject, known)}`;
  }
  if (code === "commander.optionMissingArgument") return `${subject} has no value.`;
  if (code === "commander.excessArguments") {
    const operand = operandsOf(command).at(-1);
    return operand
      ? `There is more than one ${operand.name}. Put it in quotes, and options before or after it.`
      : `"bridle ${name}" takes options only.`;
  }
  return `${message.replace(/^error: /, "")}.`;
}

function refuseRivals(raw: Readonly<Record<string, unknown>>, command: Command): void {
  for (const [key, { excludes = [], ...flag }] of Object.entries(command.flags)) {
    const rival = raw[key] === undefined ? undefined : excludes.find((other) => raw[other] !== undefined);
    if (rival === undefined) continue;
    throw new UsageError(`${longName(flag)} and ${longName(flagOf(command, rival))} exclude each other. Keep one.`);
  }
}

function checkValue(flag: Flag, text: unknown): unknown {
  const checked = flag.value.safeParse(text);
  if (checked.success) return checked.data;
  const names = namesOf(checked.error);
  const expected = names ? `one of ${names.join(", ")}` : (flag.expected ?? "something else");
  const near = names ? suggestion(String(text), names) : "";
  throw new UsageError(
    `${longName(flag)} is ${JSON.stringify(wrongIn(text, checked.error))}, and has to be ${expected}.${near}`,
  );
}

/** The one that is wrong, of a flag that stands there several times. */
function wrongIn(given: unknown, { issues: [issue] }: z.ZodError): unknown {
  const [place] = issue?.path ?? [];
  return Array.isArray(given) && typeof place === "number" ? given[place] : given;
}

function namesOf({ issues: [issue] }: z.ZodError): string[] | undefined {
  return issue?.code === "invalid_value" ? issue.values.map(String) : undefined;
}

function flagOf({ flags }: Command, key: string): Flag {
  const flag = flags[key];
  if (flag === undefined) throw new Error(`The flag "${key}" is not the camel case of its name.`);
  return flag;
}

function longName({ flag }: Pick<Flag, "flag">): string {
  return flag.split(" ")[0] ?? flag;
}
