import type { RehearsedConversation } from "./conversation.ts";
import { isTool } from "./tool-names.ts";

/** A template that could not be filled. */
export class TemplateError extends Error {}

/**
 * Matches quoted braces, or a name and a path between braces. The content is a single run of characters, so that the search takes linear
 * time.
 */
const braces = /\{\{(?:\s*"\{\{"\s*|([^{}]*))\}\}/g;

interface Template {
  /** Undefined if the template is two braces in quotes. */
  readonly named: { readonly tool: string; readonly path: string } | undefined;
  readonly start: number;
  readonly end: number;
}

function listTemplates(text: string): Template[] {
  return [...text.matchAll(braces)].flatMap(({ 0: whole, 1: content, index: start }) => {
    const named = content === undefined ? undefined : parseContent(content.trim());
    return content !== undefined && named === undefined ? [] : [{ named, start, end: start + whole.length }];
  });
}

/** Parses `tool.result` with an optional path after it, such as `.some.path`. The tool name is as short as possible. */
function parseContent(content: string): Template["named"] {
  if (/\s/.test(content)) return undefined;
  const brokenUntil = content.endsWith(".") ? content.length : content.lastIndexOf("..") + 1;
  for (let at = content.indexOf(result, 1); at >= 0; at = content.indexOf(result, at + 1)) {
    const end = at + result.length;
    const isPath = end === content.length || (content[end] === "." && end >= brokenUntil);
    if (isPath) return { tool: content.slice(0, at), path: content.slice(end) };
  }
  return undefined;
}

const result = ".result";

/**
 * Fills `{{ tool.result }}` with the text of that tool's newest result, and `{{ tool.result.some.path }}` with a value in
 * that result, parsed as JSON. `{{ "{{" }}` becomes two braces. Other double braces stay unchanged. Throws a
 * `TemplateError`.
 */
export function fillText(text: string, conversation: RehearsedConversation): string {
  const parts: string[] = [];
  let at = 0;
  for (const { named, start, end } of listTemplates(text)) {
    parts.push(
      text.slice(at, start),
      named === undefined ? "{{" : asText(lookUp(named.tool, named.path, conversation)),
    );
    at = end;
  }
  parts.push(text.slice(at));
  return parts.join("");
}

/** Returns a template that produces exactly the given string. */
export function asLiteral(text: string): string {
  return listTemplates(text).length > 0 ? text.replaceAll("{{", '{{ "{{" }}') : text;
}

/** Fills the templates in every string of a JSON value. If a string consists of one template with a path, the value itself replaces it. */
export function fillValue(value: unknown, conversation: RehearsedConversation): unknown {
  if (typeof value === "string") return fillString(value, conversation);
  if (Array.isArray(value)) return value.map((item) => fillValue(item, conversation));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillValue(item, conversation)]));
}

function fillString(text: string, conversation: RehearsedConversation): unknown {
  const [only, ...others] = listTemplates(text);
  const isWhole = others.length === 0 && only?.start === 0 && only.end === text.length;
  if (isWhole && only.named !== undefined) return lookUp(only.named.tool, only.named.path, conversation);
  return fillText(text, conversation);
}

function lookUp(tool: string, path: string, { results }: RehearsedConversation): unknown {
  const newest = results.findLast((result) => isTool(tool, result.tool));
  if (newest === undefined) throw new TemplateError(`names the result of "${tool}", but that tool was not called`);
  return path === "" ? newest.text : path.slice(1).split(".").reduce(descend, readJson(tool, newest.text));
}

function readJson(tool: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new TemplateError(`needs the result of "${tool}" as JSON, but it is not JSON: ${text.slice(0, 80)}`);
  }
}

function descend(value: unknown, key: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, key))
    throw new TemplateError(
      `needs "${key}" in a result that does not have it: ${(JSON.stringify(value) ?? "").slice(0, 80)}`,
    );
  return Reflect.get(value, key);
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}
