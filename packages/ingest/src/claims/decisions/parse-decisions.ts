import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  describeUnreadable,
  EditedDocument,
  formatContextProblem,
  type ParsedYamlFile,
  parseYamlFile,
  readOwnText,
} from "@bridle/context";
import { ConfigError, omitUndefined } from "@bridle/protocol";
import {
  type BothHold,
  type Decisions,
  decisionKeys,
  decisionsFile,
  decisionsSchema,
  type Pin,
  type RemovedThing,
} from "./decision-schema.ts";

/** The decisions of a project with the text of their file. */
export interface ReadDecisions {
  readonly decisions: Decisions;
  /** The text of the file; empty if it does not exist. */
  readonly text: string;
}

/** Parses the file from its text. Does not throw. */
export function parseDecisions(text: string): ParsedYamlFile<Decisions> {
  return parseYamlFile(text, decisionsFile, decisionsSchema, ([list]) => {
    return list === "pins" || list === "both" || list === "removed" ? decisionKeys[list] : decisionKeys.file;
  });
}

/**
 * Reads `context/decisions.yaml`. Returns no decisions if the file is missing.
 *
 * @throws ConfigError with the position if anything in the file is wrong, because Bridle cannot follow a decision that it cannot parse.
 */
export function readDecisions({ projectDir }: { readonly projectDir: string }): ReadDecisions {
  const text = readIfExists(projectDir);
  const { value, problems } = parseDecisions(text);
  const [first] = problems;
  if (value !== undefined) return { decisions: value, text };
  const message = first === undefined ? `${decisionsFile} cannot be read.` : formatContextProblem(first);
  throw new ConfigError(`${message} Nothing is ingested until it is corrected.`, { field: decisionsFile });
}

function readIfExists(projectDir: string): string {
  const path = join(projectDir, decisionsFile);
  try {
    return existsSync(path) ? readOwnText(path, projectDir) : "";
  } catch (cause) {
    throw new ConfigError(describeUnreadable(decisionsFile, cause), {
      cause,
      field: decisionsFile,
    });
  }
}

/** Decisions to add to the file. */
export interface AddedDecisions {
  readonly pins?: readonly Pin[] | undefined;
  readonly both?: readonly BothHold[] | undefined;
  readonly removed?: readonly RemovedThing[] | undefined;
}

const heading = "# What people decided about facts. Ingest obeys it. Remove an entry to undo it.\n";

/**
 * Returns the text of the file with additional decisions. Keeps comments, order and unknown keys. Throws ConfigError if the file cannot be
 * edited.
 */
export function addDecisions(text: string, { pins = [], both = [], removed = [] }: AddedDecisions): string {
  if (pins.length + both.length + removed.length === 0) return text;
  const document = new EditedDocument(text.trim() === "" ? heading : text, decisionsFile);
  for (const entry of pins) document.append("pins", omitUndefined(entry));
  for (const entry of both) document.append("both", omitUndefined(entry));
  for (const entry of removed) document.append("removed", omitUndefined(entry));
  return document.toString();
}

/** Returns the text of the file without the decisions about these statements. Also removes these statements from other decisions. */
export function removeDecisions(text: string, isGone: (statement: string) => boolean): string {
  const document = new EditedDocument(text, decisionsFile);
  const { pins = [], both = [], removed = [] } = parseDecisions(text).value ?? {};
  const gone = {
    pins: pins.map(({ statement }) => isGone(statement)),
    both: both.map(({ statements }) => statements.some(isGone)),
    removed: removed.map(({ statement }) => statement !== undefined && isGone(statement)),
  };
  const losing = pins.flatMap(({ over }, index) => (over?.some(isGone) ? [{ index, over }] : []));
  if (losing.length === 0 && !Object.values(gone).some((list) => list.includes(true))) return text;
  for (const { index, over } of losing) {
    const left = over.filter((statement) => !isGone(statement));
    document.setInEntry("pins", index, { over: left.length === 0 ? undefined : left });
  }
  for (const [list, marks] of Object.entries(gone)) {
    for (const [index, isOne] of [...marks.entries()].reverse()) if (isOne) document.removeEntry(list, index);
  }
  const after = document.toString();
  return after.trim() === "{}" ? "" : after;
}
