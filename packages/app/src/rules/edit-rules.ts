/** Reads and changes the rules in the `bridle.yaml` of a project. */

import { randomUUID } from "node:crypto";
import { open, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { createPolicy, type PolicyScope, projectPolicySchema, readTextFile } from "@bridle/core";
import { shownPath } from "@bridle/project";
import { ConfigError, canonicalJson, isPlainObject, systemErrorCode } from "@bridle/protocol";
import { type Document, isMap, parseDocument } from "yaml";
import type { ProjectContext } from "../context/project-context.ts";
import { adaptNode, formatAdapted, separateReferences } from "./adapt-yaml.ts";
import { findKeyLines, type KeyLines, replaceLines } from "./replace-lines.ts";
import { orderRules } from "./rule-order.ts";
import type { RuleFile, Rules } from "./rule-schemas.ts";
import { assignComments } from "./yaml-comments.ts";

/** Reads the text of the project's file; undefined if there is no file. */
export async function readRulesText({ project }: Pick<ProjectContext, "project">): Promise<string | undefined> {
  const { configFile } = project.settings;
  if (configFile === undefined) return undefined;
  return readTextFile(configFile).catch((cause: unknown) => {
    const position = { file: shownPath(configFile, project.projectDir) };
    throw new ConfigError(`the file cannot be read (${systemErrorCode(cause)}). Make it readable.`, {
      position,
      cause,
    });
  });
}

/** Reads the rules in a string of `bridle.yaml`. Throws ConfigError if they are invalid. */
export function describeRules(
  text: string | undefined,
  { project }: Pick<ProjectContext, "project">,
): Omit<RuleFile, "warnings"> {
  const { configFile } = project.settings;
  const rules = parseRules(text);
  return {
    file: configFile === undefined ? null : shownPath(configFile, project.projectDir),
    rules: rules ?? null,
    order: rules === undefined ? [] : [...orderRules(rules)],
    isInEffect: canonicalJson(rules ?? null) === canonicalJson(project.settings.policy ?? null),
  };
}

export function parseRules(text: string | undefined): Rules | undefined {
  const content: unknown = text === undefined ? undefined : parseDocument(text).toJS();
  const given = isPlainObject(content) ? content.policy : undefined;
  if (given === undefined || given === null) return undefined;
  const parsed = projectPolicySchema.safeParse(given);
  if (parsed.success) return parsed.data;
  throw new ConfigError("the rules in bridle.yaml are not valid. Correct the key policy.", { field: "policy" });
}

/**
 * Returns the text of `bridle.yaml` with other rules, or without rules. Unchanged rules keep their comments and their notation. Throws
 * ConfigError if a rule is invalid, or if a tool would be removed from `policy.disable`, which users must edit in the file itself. Names
 * that match no tool may be removed from the list.
 */
export function replaceRules(
  text: string | undefined,
  rules: Rules | null,
  isUnknown: (tool: string) => boolean = () => false,
): string {
  if (rules !== null) requireValid(rules);
  const own = parseRules(text);
  if (text !== undefined && canonicalJson(own ?? null) === canonicalJson(rules)) return text;
  const disabled = own?.disable ?? [];
  const enabled = disabled.find((tool) => !(rules?.disable ?? []).includes(tool) && !isUnknown(tool));
  if (enabled !== undefined) {
    const reason = `The tool ${enabled} is disabled in bridle.yaml, and this would enable it. Remove it from policy.disable in the file itself.`;
    throw new ConfigError(reason, { field: "policy.disable" });
  }
  return writeRules(text ?? "", rules);
}

/** Throws ConfigError. Its message counts rules from 1, as the page does. */
function requireValid(rules: Rules): void {
  try {
    createPolicy(rules, noScope);
  } catch (error) {
    throw countFromOne(error);
  }
}

/** Does not check the names of agents. */
const noScope: PolicyScope = { agents: [], tools: [], hasUnknownTools: true };

/** Returns the same error with the rule's number counted from 1 in its message. The field stays a path. */
export function countFromOne(error: unknown): unknown {
  if (!(error instanceof ConfigError) || error.field === undefined) return error;
  const message = error.message
    .replace(/policy\.disable\.(\d+)/g, (_path, index: string) => `entry ${Number(index) + 1} of disable`)
    .replace(/policy\.rules\.(\d+)(?:\.tool)?(\.)?/g, (_path, index: string, more?: string) => {
      const rule = `rule ${Number(index) + 1}`;
      return more === undefined ? rule : `${rule}: `;
    });
  return new ConfigError(message, { field: error.field, cause: error });
}

/** Replaces only the lines of the rules. If that would change other values, for example in a one-line file, the whole file is rewritten. */
function writeRules(text: string, rules: Rules | null): string {
  const before = text.replaceAll("\r\n", "\n"); // with CRLF, comments would keep their CR
  const document = parseDocument(before);
  if (document.errors.length > 0 || (document.contents !== null && !isMap(document.contents))) {
    throw new ConfigError("bridle.yaml is not valid YAML, so its rules cannot be changed. Correct the file.");
  }
  const place = findKeyLines(document, before, "policy");
  setRules(document, rules, before);
  const replaced = place && replaceLines(text, place, rules === null ? [] : linesOf(rules, before, place));
  if (replaced !== undefined && hasContent(replaced, document)) return replaced;
  const written = formatAdapted(document, before);
  return text.includes("\r\n") ? written.replaceAll("\n", "\r\n") : written;
}

function setRules(document: Document, rules: Rules | null, before: string): void {
  const old: unknown = document.get("policy", true);
  assignComments(document, before);
  separateReferences(old, document);
  if (rules !== null) document.set("policy", adaptNode(old, rules, document));
  else if (document.contents !== null) document.delete("policy");
}

/** Returns the lines of the rules, without the comments after them, which belong to the next key. */
function linesOf(rules: Rules, before: string, { end }: KeyLines): readonly string[] {
  const lines = before.split("\n").slice(0, end);
  const document = parseDocument(`${lines.join("\n")}\n`);
  setRules(document, rules, before);
  const written = formatAdapted(document, before);
  const place = findKeyLines(parseDocument(written), written, "policy");
  return place ? written.split("\n").slice(place.first, place.end) : [];
}

function hasContent(text: string, document: Document): boolean {
  const parsed = parseDocument(text);
  return parsed.errors.length === 0 && canonicalJson(parsed.toJS()) === canonicalJson(document.toJS());
}

/** Writes the whole file, or nothing. */
export async function writeRulesText(text: string, { project }: Pick<ProjectContext, "project">): Promise<void> {
  const path = project.settings.configFile ?? join(project.projectDir, "bridle.yaml");
  const mode = ((await stat(path).catch(() => undefined))?.mode ?? 0o644) & 0o777; // a private file stays private
  const temporary = `${path}.${randomUUID()}.bridle`;
  try {
    const file = await open(temporary, "wx", mode);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
