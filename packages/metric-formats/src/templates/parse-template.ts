/** Parses other tools' SQL with references in braces, such as `{CUBE}.amount` or a field of a view. */
import {
  MetricRefusalError,
  mapExpression,
  type ParsedExpression,
  parseExpression,
} from "@bridle/semantic/model-parts";
import { refuseImport } from "../import-report.ts";
import { withPortableCalls } from "./portable-calls.ts";

/** A name in a template: the reference between the braces, and the columns after it. */
export interface ReferencedName {
  readonly reference: readonly string[];
  readonly columns: readonly string[];
}

const open = "${";

/**
 * Parses SQL with references. In the result, a name's path begins with the reference in its braces, which `templateName` reads. Throws an
 * ImportRefusalError if models cannot contain the expression.
 */
export function parseTemplate(text: string, references: RegExp): ParsedExpression {
  if (/\{%|\{\{|\{#|@\{/.test(text)) refuseImport("It has a template that is computed for each query. Write its SQL.");
  const marked = text.replace(references, (_, inner: string) => {
    const path = inner.trim();
    if (!/^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$/.test(path))
      refuseImport(`"${inner}" in braces is not a valid name. Write the name of a field.`);
    return `"${open}${path}}"`;
  });
  const parsed = withPortableCalls(parseMarked(marked));
  mapExpression(parsed, (part) => checkPart(part));
  return parsed;
}

/** Returns the parts of a name; undefined if it has no reference. */
export function templateName(path: readonly string[]): ReferencedName | undefined {
  const [first = "", ...columns] = path;
  return first.startsWith(open) ? { reference: first.slice(2, -1).split("."), columns } : undefined;
}

function parseMarked(text: string): ParsedExpression {
  try {
    return parseExpression(text);
  } catch (error) {
    if (!(error instanceof MetricRefusalError)) throw error;
    return refuseImport(error.message.replaceAll(/"\$\{([\w.]+)\}"/g, "{$1}"));
  }
}

/** Refuses references in quoted strings, and braces in other names. */
function checkPart(part: ParsedExpression): undefined {
  const texts = part.kind === "literal" ? [part.value] : part.kind === "like" ? [part.pattern] : [];
  if (texts.some((each) => each.includes(open))) refuseImport("A reference is within a text in quotes. Use ||.");
  if (part.kind !== "name") return undefined;
  const others = templateName(part.path) ? part.path.slice(1) : part.path;
  if (others.some((each) => /[{}]/.test(each))) refuseImport("A name with braces is not supported. Rename it.");
  return undefined;
}
