import { join, relative } from "node:path";
import { readTextFileSync } from "@bridle/core";
import { ConfigError, type Logger } from "@bridle/protocol";
import { parseDocument } from "yaml";
import { z } from "zod";
import { splitFrontMatter } from "../config/front-matter.ts";
import { realPathWithin } from "./skill-files.ts";
import { skillFile } from "./skill-folders.ts";

export interface Skill {
  readonly name: string;
  /** The description in one line. */
  readonly description: string;
  readonly body: string;
  /** The absolute path of the folder. */
  readonly folder: string;
  /** The path of its SKILL.md as messages show it. */
  readonly file: string;
}

const head = z.looseObject(
  {
    name: z
      .string({ error: 'needs "name"' })
      .regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/, { error: '"name" must be 1 to 64 letters, digits, - or _' }),
    description: z
      .string({ error: 'needs "description": the purpose of the skill and when to use it' })
      .trim()
      .min(1, { error: '"description" is empty; write the purpose of the skill and when to use it' })
      .max(1024, { error: '"description" is longer than 1024 characters; move the rest below the front matter' }),
    "allowed-tools": z.unknown().optional(),
  },
  { error: "must be a mapping with name and description" },
);

/** Reads the skill in a folder. Throws a ConfigError that names the file and its problem. */
export function readSkill(folder: string, { baseDir, logger }: { baseDir: string; logger: Logger }): Skill {
  const file = relative(baseDir, join(folder, skillFile));
  const { yaml, body } = splitFrontMatter(read(folder, file));
  if (yaml === undefined) {
    throw refuse(file, 'has no front matter. Begin it with "---", name, description, and "---".');
  }
  const parsed = head.safeParse(parse(yaml, file));
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ message }) => message);
    throw refuse(file, `has front matter that cannot be used: it ${problems.join("; it ")}.`);
  }
  if (body.trim() === "") throw refuse(file, "has no text below its front matter. Write instructions for the model.");
  const { name, description } = parsed.data;
  if (parsed.data["allowed-tools"] !== undefined) {
    logger.warn(
      { skill: name },
      `allowed-tools of ${file} is not used: the rules in "policy" decide which calls may run`,
    );
  }
  return { name, description: description.replace(/\s+/g, " "), body: body.trim(), folder, file };
}

function read(folder: string, file: string): string {
  try {
    return readTextFileSync(realPathWithin(folder, skillFile));
  } catch (cause) {
    throw refuse(file, `cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`, cause);
  }
}

function parse(yaml: string, file: string): unknown {
  const document = parseDocument(yaml);
  const [problem] = document.errors;
  if (problem === undefined) return readValue(document, file);
  const line = (problem.linePos?.[0].line ?? 1) + 1; // below the first ---
  throw new ConfigError(`the front matter is not valid YAML: ${problem.message.split("\n")[0]} Correct it.`, {
    position: { file, line },
    field: "skills",
    cause: problem,
  });
}

/** Converts the YAML to a value. Fails for aliases that are circular, or that expand to more than fits in memory. */
function readValue(document: ReturnType<typeof parseDocument>, file: string): unknown {
  try {
    return document.toJS() ?? {};
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message : String(cause);
    throw refuse(file, `has front matter that cannot be read: ${problem}. Write it without aliases.`, cause);
  }
}

function refuse(file: string, problem: string, cause?: unknown): ConfigError {
  return new ConfigError(`The skill file ${file} ${problem}`, { field: "skills", cause });
}
