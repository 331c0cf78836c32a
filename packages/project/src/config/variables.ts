import { type Document, isScalar, visit } from "yaml";

export type Environment = Readonly<Record<string, string | undefined>>;

/** What filling in the variables found: the texts as they were written, by node, and what could not be filled in. */
export interface Filled {
  readonly written: ReadonlyMap<unknown, string>;
  readonly problems: readonly { readonly offset: number; readonly message: string }[];
}

const reference = /\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}|\$\{/g;

/**
 * Replaces `${NAME}` and `${NAME:-default}` in the string values of a document, in place. The default counts when the
 * variable is not set or empty. Keys and the file's own text are never touched, so that a value cannot add structure.
 */
export function fillVariables(document: Document, environment: Environment): Filled {
  const written = new Map<unknown, string>();
  const problems: { offset: number; message: string }[] = [];
  visit(document, {
    Scalar(key, node) {
      if (key === "key" || !isScalar<unknown>(node) || typeof node.value !== "string") return;
      const text = node.value;
      if (!text.includes("${")) return;
      written.set(node, text);
      node.value = text.replaceAll(reference, (_, name: string | undefined, fallback: string | undefined) => {
        const value = name === undefined ? undefined : environment[name] || (fallback ?? environment[name]);
        if (value === undefined) problems.push({ offset: node.range?.[0] ?? 0, message: missing(name) });
        return value ?? "";
      });
    },
  });
  return { written, problems };
}

function missing(name: string | undefined): string {
  if (name === undefined) return `a reference is not complete. Write \${NAME} or \${NAME:-default}.`;
  return `the environment has no ${name}. Set it, or write \${${name}:-default}.`;
}
