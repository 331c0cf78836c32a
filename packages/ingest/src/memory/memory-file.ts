/** Facts that users asked Bridle to remember: `context/memory.yaml` of a project, in git, or `memory.yaml` in the user's own folder. */
import { existsSync } from "node:fs";
import {
  describeUnreadable,
  EditedDocument,
  formatContextProblem,
  type ParsedYamlFile,
  parseYamlFile,
  readOwnText,
} from "@bridle/context";
import { readTextFileSync } from "@bridle/core";
import { ConfigError, omitUndefined } from "@bridle/protocol";
import { z } from "zod";
import { statementKinds } from "../sources/candidate.ts";

/** `project`: facts are shared with everybody who has the project. `user`: facts are for this user alone, in every project. */
export const memoryScopes = ["project", "user"] as const;
export type MemoryScope = (typeof memoryScopes)[number];

const text = z.string().trim().min(1, "is empty. Write the text, or remove the line");

const rememberedStatement = z.strictObject({
  subject: text.describe("The subject of the statement."),
  statement: text.describe("The fact, in one sentence."),
  quote: text.exactOptional().describe("The part of the text that states it. Default: the whole text."),
  topic: text.describe("The page for the fact."),
  category: z.enum(statementKinds),
  tables: z.array(text).exactOptional().describe("Related tables: connection.schema.table."),
  since: z.iso.date().exactOptional().describe("The first day on which it holds."),
});
export type RememberedStatement = z.output<typeof rememberedStatement>;

const memoryFact = z.strictObject({
  id: text.describe("The id for bridle memory show and forget."),
  text: text.describe("The exact words of a person."),
  by: text.exactOptional().describe("The person who said it."),
  at: text.describe("The time, in ISO 8601."),
  session: text.exactOptional().describe("The conversation that it comes from."),
  captured: z
    .literal(true)
    .exactOptional()
    .describe("Nobody has confirmed it, because a model wanted to keep it. It is not stronger than a document."),
  statements: z.array(rememberedStatement).min(1).describe("The facts in the text."),
});
export type MemoryFact = z.output<typeof memoryFact>;

const memorySchema = z.strictObject({ facts: z.array(memoryFact).exactOptional() });

/** The project's memory file, relative to the project. */
export const memoryFileName = "context/memory.yaml";

function knownKeys(path: readonly PropertyKey[]): readonly string[] {
  if (path.length === 0) return Object.keys(memorySchema.shape);
  return Object.keys(path.includes("statements") ? rememberedStatement.shape : memoryFact.shape);
}

/** Parses a file from its text. `file` is for messages. Does not throw. */
function parseMemory(content: string, file: string): ParsedYamlFile<readonly MemoryFact[]> {
  const parsed = parseYamlFile(content, file, memorySchema, knownKeys);
  return { ...parsed, value: parsed.value && (parsed.value.facts ?? []) };
}

/**
 * Reads a file; empty if it does not exist. Throws ConfigError with the position if the file is wrong, or if it is a link that leads out of
 * its project.
 */
export function readMemory(
  path: string,
  file: string,
  projectDir: string | undefined,
): { readonly facts: readonly MemoryFact[]; readonly content: string } {
  const content = readContent(path, file, projectDir);
  const { value, problems } = parseMemory(content, file);
  if (value !== undefined) return { facts: value, content };
  const [first] = problems;
  throw new ConfigError(first === undefined ? `${file} cannot be read.` : formatContextProblem(first), { field: file });
}

function readContent(path: string, file: string, projectDir: string | undefined): string {
  try {
    if (!existsSync(path)) return "";
    return projectDir === undefined ? readTextFileSync(path) : readOwnText(path, projectDir);
  } catch (cause) {
    throw new ConfigError(describeUnreadable(file, cause), {
      cause,
      field: file,
    });
  }
}

const heading = "# What people told Bridle. Forget a fact with bridle memory forget, or remove its entry.\n";

/** Returns the text of a file with one additional fact. Keeps comments and order. */
export function addFact(content: string, file: string, fact: MemoryFact): string {
  const document = new EditedDocument(content.trim() === "" ? heading : content, file);
  document.append("facts", { ...omitUndefined(fact), statements: fact.statements.map(omitUndefined) });
  return document.toString();
}

/** Returns the text of the memory file after a user confirmed facts. */
export function confirmFacts(content: string, file: string, ids: ReadonlySet<string>, by?: string): string {
  const document = new EditedDocument(content, file);
  for (const [index, entry] of document.list("facts").entries()) {
    const fact = memoryFact.safeParse(entry).data;
    if (fact?.captured === undefined || !ids.has(fact.id)) continue;
    document.setInEntry("facts", index, { captured: undefined, ...(by !== undefined && { by }) });
  }
  return document.toString();
}

/** Returns the text of a file without the given facts. */
export function removeFacts(content: string, file: string, ids: ReadonlySet<string>): string {
  const document = new EditedDocument(content, file);
  const entries = document.list("facts").map((entry) => memoryFact.safeParse(entry).data?.id);
  for (const [index, id] of [...entries.entries()].reverse()) {
    if (id !== undefined && ids.has(id)) document.removeEntry("facts", index);
  }
  const edited = document.toString();
  return edited.trim() === "{}" ? "" : edited;
}
