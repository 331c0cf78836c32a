/** Finds features of YAML that `bridle.yaml` does not support. */
import { type Document, isScalar, visit, type YAMLParseError, type YAMLWarning } from "yaml";

export interface Fault {
  readonly offset: number;
  readonly message: string;
}

export function findUnsupported(document: Document): Fault[] {
  return [...document.warnings.map(toFault), ...findMergeKeys(document)];
}

/** Finds an alias without a usable value: its anchor does not exist, it contains itself, or it expands to more than memory can hold. */
export function findEndlessAliases(document: Document): Fault[] {
  try {
    JSON.stringify(document.toJS()); // throws if a value contains itself
    return [];
  } catch {
    const message = "the value of this alias cannot be expanded. Write the value itself instead.";
    return [{ offset: firstAlias(document), message }];
  }
}

/** Returns the message for text that cannot be read. */
export function syntaxMessage({ code, message, pos }: YAMLParseError, text: string): string {
  if (code === "MULTIPLE_DOCS") return "the file holds more than one document. Keep one, and remove the line with ---.";
  const line = text.slice(text.lastIndexOf("\n", pos[0] - 1) + 1).split("\n")[0] ?? "";
  const remedy = line.includes("${") ? `Put "\${NAME}" in quotes if it is between braces.` : "Correct the line.";
  return `this is not YAML: ${message.replace(/\.$/, "")}. ${remedy}`;
}

function toFault({ code, message, pos }: YAMLWarning): Fault {
  const [offset] = pos;
  if (code !== "TAG_RESOLVE_FAILED") return { offset, message: `${message.replace(/\.$/, "")}. Correct the line.` };
  const word = message.slice(message.search(/\S{1,200}$/));
  const tag = word.includes("!") ? word.slice(word.indexOf("!")) : "here";
  return { offset, message: `the tag ${tag} has no meaning in this file. Remove it; \${NAME} reads the environment.` };
}

function findMergeKeys(document: Document): Fault[] {
  const faults: Fault[] = [];
  visit(document, {
    Pair(_, { key }) {
      if (!isScalar(key) || key.value !== "<<") return;
      faults.push({ offset: key.range?.[0] ?? 0, message: "keys cannot be merged with <<. Write the settings out." });
    },
  });
  return faults;
}

function firstAlias(document: Document): number {
  let first = 0;
  visit(document, {
    Alias(_, { range }) {
      first = range?.[0] ?? 0;
      return visit.BREAK;
    },
  });
  return first;
}
