import { writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { readTextFile } from "@bridle/core";
import { ConfigError, systemErrorCode } from "@bridle/protocol";
import { type Document, isMap, parseDocument, stringify, type YAMLMap } from "yaml";
import type { ProjectContext } from "../../context/project-context.ts";
import type { FoundDatabase } from "./found-database.ts";

/** The result of `addConnections`. */
export interface AddedConnections {
  /** The path of `bridle.yaml`. */
  readonly file: string;
  readonly created: boolean;
  readonly added: readonly string[];
  /** Names that the file already contained. Their entries were not changed. */
  readonly kept: readonly string[];
}

/**
 * Adds connections to the project's `bridle.yaml`, or creates the file. Comments, order and everything else are kept.
 *
 * @throws ConfigError if the file cannot be read, parsed or written.
 */
export async function addConnections(
  databases: readonly Pick<FoundDatabase, "name" | "connection">[],
  { project }: Pick<ProjectContext, "project">,
): Promise<AddedConnections> {
  const file = project.settings.configFile ?? join(project.projectDir, "bridle.yaml");
  const text = await readIfPresent(file);
  const { edited, added, kept } = insertConnections(text ?? "", databases, basename(file));
  if (added.length > 0) await write(file, edited);
  return { file, created: text === undefined && added.length > 0, added, kept };
}

/** Returns the text with new connections, and the names that were added and kept. Pure. */
export function insertConnections(
  text: string,
  databases: readonly Pick<FoundDatabase, "name" | "connection">[],
  file: string,
): { readonly edited: string; readonly added: readonly string[]; readonly kept: readonly string[] } {
  const document = parseDocument(text);
  const [fault] = document.errors;
  if (fault) throw new ConfigError(`${fault.message} Mend the file first.`, { position: { file } });
  if (document.contents !== null && !isMap(document.contents)) {
    throw new ConfigError("is not a mapping of settings. Mend the file first.", { position: { file } });
  }
  const path = ["context", "connections"];
  const present = (name: string) => document.hasIn([...path, name]);
  const kept = databases.map(({ name }) => name).filter(present);
  const fresh = databases.filter(({ name }) => !present(name));
  if (fresh.length === 0) return { edited: text, added: [], kept };
  const values = Object.fromEntries(fresh.map(({ name, connection }) => [name, connection]));
  const inserted = insertText(text, document, values);
  const added = fresh.map(({ name }) => name);
  return { edited: inserted ?? setInDocument(document, values), added, kept };
}

type Connections = Readonly<Record<string, FoundDatabase["connection"]>>;

/** Inserts lines, so that everything else stays byte for byte the same; undefined if the mappings are written in braces. */
function insertText(text: string, document: Document, values: Connections): string | undefined {
  const connections = document.getIn(["context", "connections"], true);
  const context = document.get("context", true);
  if (isBlock(connections)) return insertAfter(text, connections, values);
  if (isBlock(context) && connections === undefined) return insertAfter(text, context, { connections: values });
  if (context !== undefined || (document.contents !== null && !isBlock(document.contents))) return undefined;
  const separator = text === "" || text.endsWith("\n") ? "" : "\n";
  return `${text}${separator}${stringify({ context: { connections: values } })}`;
}

function isBlock(node: unknown): node is YAMLMap {
  return isMap(node) && node.flow !== true && node.items.length > 0;
}

/** Inserts entries at the end of a mapping, indented like its first entry. */
function insertAfter(text: string, map: YAMLMap, values: Readonly<Record<string, unknown>>): string {
  const [start = 0, end = text.length] = map.range ?? [];
  const indent = " ".repeat(start - (text.lastIndexOf("\n", start - 1) + 1));
  const at = text.lastIndexOf("\n", end) + 1 || text.length;
  const lines = stringify(values).trimEnd().split("\n");
  const before = end >= text.length && !text.endsWith("\n") ? `${text}\n` : text.slice(0, endOfLine(text, end, at));
  return `${before}${lines.map((line) => `${indent}${line}\n`).join("")}${text.slice(before.length)}`;
}

function endOfLine(text: string, end: number, at: number): number {
  if (at === end) return end;
  const next = text.indexOf("\n", end);
  return next === -1 ? text.length : next + 1;
}

function setInDocument(document: Document, values: Connections): string {
  for (const path of [["context", "connections"], ["context"]]) {
    if (document.getIn(path) === null) document.deleteIn(path); // a key without a value
  }
  for (const [name, value] of Object.entries(values)) {
    document.setIn(["context", "connections", name], document.createNode(value));
  }
  return document.toString({ lineWidth: 0 });
}

async function readIfPresent(file: string): Promise<string | undefined> {
  try {
    return await readTextFile(file);
  } catch (cause) {
    if (systemErrorCode(cause) === "ENOENT") return undefined;
    throw new ConfigError(`${file} cannot be read. Make it readable, or name another folder.`, { cause });
  }
}

async function write(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text);
  } catch (cause) {
    throw new ConfigError(`${file} cannot be written. Make the folder writable, or name another one.`, { cause });
  }
}
