import { type Document, isPair, isScalar, visit } from "yaml";

export type Environment = Readonly<Record<string, string | undefined>>;

/** A string that came from the environment, and the string to show instead, such as `${NAME}`. */
export interface EnvironmentValue {
  readonly value: string;
  readonly shown: string;
  /** Whether a program passed the value, so that no file of a project contains it. Default: false. */
  readonly isOfProgram?: boolean;
}

/** Classifies the settings of a file by their paths. Paths omit list indexes. */
export interface PathForm {
  /** Whether the value is never shown. */
  isSecret(path: readonly PropertyKey[]): boolean;
  /** Whether the value determines how a host is reached. If its variable is not set, the value is left out without an error. */
  isConnection(path: readonly PropertyKey[]): boolean;
}

/** The result of replacing variables. `written` has the original text of each changed node. */
export interface Filled {
  readonly written: ReadonlyMap<unknown, string>;
  /** The unset or empty variables of settings that determine how a host is reached, by node. The nodes are null. */
  readonly absent: ReadonlyMap<unknown, readonly string[]>;
  readonly values: readonly EnvironmentValue[];
  readonly problems: readonly { readonly offset: number; readonly message: string }[];
}

const reference = /\$\{([A-Za-z_]\w*)(?::-((?:(?!\$\{)[^}])*))?\}|\$\{/g;

/**
 * Replaces `${NAME}` and `${NAME:-default}` in the string values of a document, in place. The default is used if the
 * variable is not set or empty. Keys and the file's own text are never changed, so that a value cannot add structure.
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

/** Lists the variables in a string that are unset or empty and have no default. */
function unsetIn(text: string, environment: Environment): string[] {
  const found = [...text.matchAll(reference)].flatMap(([, name, fallback]) =>
    name !== undefined && fallback === undefined && !(Object.hasOwn(environment, name) && environment[name])
      ? [name]
      : [],
  );
  return [...new Set(found)];
}

/** Returns the keys that lead to a node. */
function pathOf(ancestors: readonly unknown[]): string[] {
  return ancestors.flatMap((each) => (isPair(each) && isScalar(each.key) ? [String(each.key.value)] : []));
}

const incomplete = `a reference is incomplete. Write \${NAME} or \${NAME:-default}; a default cannot hold another reference.`;

function missing(name: string): string {
  return `the environment has no ${name}. Set it, or write \${${name}:-default}.`;
}
