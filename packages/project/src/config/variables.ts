import { type Document, isPair, isScalar, visit } from "yaml";

export type Environment = Readonly<Record<string, string | undefined>>;

/** A text that came from the environment, and what is shown in its place, such as `${NAME}`. */
export interface EnvironmentValue {
  readonly value: string;
  readonly shown: string;
}

/** What is known of a file's settings by their path; places in lists do not count. */
export interface PathForm {
  /** The value is never shown. */
  isSecret(path: readonly PropertyKey[]): boolean;
  /** The value says how a host is reached: where its variable is not set, it is left out, and no fault yet. */
  isConnection(path: readonly PropertyKey[]): boolean;
}

/** What filling in the variables found: the texts as they were written, by node, and what could not be filled in. */
export interface Filled {
  readonly written: ReadonlyMap<unknown, string>;
  /** Variables that say how a host is reached and are not set, or empty, by node: the node is empty then. */
  readonly absent: ReadonlyMap<unknown, readonly string[]>;
  readonly values: readonly EnvironmentValue[];
  readonly problems: readonly { readonly offset: number; readonly message: string }[];
}

const reference = /\$\{([A-Za-z_]\w*)(?::-((?:(?!\$\{)[^}])*))?\}|\$\{/g;

/**
 * Replaces `${NAME}` and `${NAME:-default}` in the string values of a document, in place. The default counts when the
 * variable is not set or empty. Keys and the file's own text are never touched, so that a value cannot add structure.
 */
export function fillVariables(document: Document, environment: Environment, { isConnection }: PathForm): Filled {
  const written = new Map<unknown, string>();
  const absent = new Map<unknown, readonly string[]>();
  const values: EnvironmentValue[] = [];
  const problems: { offset: number; message: string }[] = [];
  visit(document, {
    Scalar(key, node, ancestors) {
      if (key === "key" || !isScalar<unknown>(node) || typeof node.value !== "string") return;
      const text = node.value;
      if (!text.includes("${")) return;
      written.set(node, text);
      const unset = isConnection(pathOf(ancestors)) ? unsetIn(text, environment) : [];
      if (unset.length > 0) {
        absent.set(node, unset);
        node.value = null;
        return;
      }
      const complain = (message: string) => problems.push({ offset: node.range?.[0] ?? 0, message });
      const taken: EnvironmentValue[] = [];
      const filled = text.replaceAll(reference, (_, name: string | undefined, fallback: string | undefined) => {
        if (name === undefined) complain(incomplete);
        const value = name !== undefined && Object.hasOwn(environment, name) ? environment[name] : undefined;
        if (value) taken.push({ value, shown: `\${${name}}` });
        else if (value === undefined && name !== undefined && fallback === undefined) complain(missing(name));
        return value || (fallback ?? "");
      });
      node.value = filled;
      if (taken.length > 0) values.push({ value: filled, shown: text }, ...taken);
    },
  });
  return { written, absent, values, problems };
}

/** The variables without a default of a text that are not set or empty. */
function unsetIn(text: string, environment: Environment): string[] {
  const found = [...text.matchAll(reference)].flatMap(([, name, fallback]) =>
    name !== undefined && fallback === undefined && !(Object.hasOwn(environment, name) && environment[name])
      ? [name]
      : [],
  );
  return [...new Set(found)];
}

/** The keys that lead to a node. */
function pathOf(ancestors: readonly unknown[]): string[] {
  return ancestors.flatMap((each) => (isPair(each) && isScalar(each.key) ? [String(each.key.value)] : []));
}

const incomplete = `a reference is not complete. Write \${NAME} or \${NAME:-default}; a default cannot hold another reference.`;

function missing(name: string): string {
  return `the environment has no ${name}. Set it, or write \${${name}:-default}.`;
}
