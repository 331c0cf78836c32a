import type { RehearsedConversation } from "./conversation.ts";
import { isTool } from "./tool-names.ts";

/** A template that could not be filled. */
export class TemplateError extends Error {}

const template = /\{\{\s*(?:"\{\{"|([^\s{}]+?)\.result((?:\.[^\s{}.]+)*))\s*\}\}/g;

/**
 * Fills `{{ tool.result }}` with the text of that tool's newest result, and `{{ tool.result.some.path }}` with a value in
 * that result, parsed as JSON. `{{ "{{" }}` becomes two braces. Other double braces stay unchanged. Throws a
 * `TemplateError`.
 */
export function fillText(text: string, conversation: RehearsedConversation): string {
  return text.replaceAll(template, (_, tool: string | undefined, path: string | undefined) =>
    tool === undefined ? "{{" : asText(lookUp(tool, path ?? "", conversation)),
  );
}

/** A template that produces exactly the given text. */
export function asLiteral(text: string): string {
  return new RegExp(template).test(text) ? text.replaceAll("{{", '{{ "{{" }}') : text;
}

/** Fills the templates in every string of a JSON value. A string that is one template with a path becomes the value itself. */
export function fillValue(value: unknown, conversation: RehearsedConversation): unknown {
  if (typeof value === "string") return fillString(value, conversation);
  if (Array.isArray(value)) return value.map((item) => fillValue(item, conversation));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillValue(item, conversation)]));
}

function fillString(text: string, conversation: RehearsedConversation): unknown {
  const [only, ...others] = [...text.matchAll(template)];
  const [whole, tool, path] = only ?? [];
  if (others.length === 0 && whole === text && tool !== undefined) return lookUp(tool, path ?? "", conversation);
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
