/**
 * A pattern for names, such as `sales.orders`, `crm.*.email` or `"odd.name".t`. `*` stands for any characters within a part, and a part
 * that is missing at the end stands for every name. Case is ignored.
 */
export class NamePattern {
  /** The schema's name; undefined if it contains `*`. */
  readonly schema: string | undefined;
  /** Whether the pattern is the full name of one table or column: it has a schema and a table, and no part contains `*`. */
  readonly isFullName: boolean;
  readonly #parts: readonly PatternPart[];

  constructor(text: string) {
    const parts = splitPattern(text) ?? [];
    this.schema = parts[0] === undefined || hasStar(parts[0]) ? undefined : parts[0].name;
    this.isFullName = parts.length > 1 && !parts.some(hasStar);
    this.#parts = parts;
  }

  /** Whether the pattern matches the table or column with these name parts. */
  matches(names: readonly string[]): boolean {
    return this.#parts.every((part, index) => isLike(names[index] ?? "", part));
  }
}

interface PatternPart {
  readonly name: string;
  /** Whether the part is in quotes, where `*` is an ordinary character. */
  readonly isQuoted: boolean;
}

/** Whether a string is a pattern with at most this many parts. */
export function isPattern(text: string, max: number): boolean {
  const parts = splitPattern(text);
  return parts !== undefined && parts.length <= max;
}

/** Returns the names in a string without `*`, such as `sales.orders`; undefined if the string has another form. */
export function splitExactName(text: string): readonly string[] | undefined {
  const parts = splitPattern(text);
  return parts?.some(hasStar) === false ? parts.map(({ name }) => name) : undefined;
}

/** Joins the parts of a name with dots. A part that is empty or contains a dot, a quote, a star or a blank is quoted. */
export function joinName(parts: readonly string[]): string {
  return parts.map((part) => (/^[^\s."*]+$/.test(part) ? part : `"${part.replaceAll('"', '""')}"`)).join(".");
}

function splitPattern(text: string): readonly PatternPart[] | undefined {
  const parts: PatternPart[] = [];
  const part = /(?:"((?:[^"]|"")*)"|([^".]+))(\.|$)/y;
  while (part.lastIndex < text.length) {
    const [found, quoted, plain] = part.exec(text) ?? [];
    if (found === undefined) return undefined;
    parts.push({ name: quoted?.replaceAll('""', '"') ?? plain ?? "", isQuoted: quoted !== undefined });
  }
  return parts.length === 0 || text.endsWith(".") ? undefined : parts;
}

function hasStar({ name, isQuoted }: PatternPart): boolean {
  return !isQuoted && name.includes("*");
}

/**
 * Whether a name matches a part. Searches each string between two stars after the previous one, so the time grows only with the length of
 * the name.
 */
function isLike(name: string, part: PatternPart): boolean {
  const [first = "", ...others] = (part.isQuoted ? [part.name] : part.name.split("*")).map((text) =>
    text.toLowerCase(),
  );
  const last = others.pop();
  const text = name.toLowerCase();
  if (last === undefined) return text === first;
  const end = text.length - last.length;
  if (!text.startsWith(first) || !text.endsWith(last) || end < first.length) return false;
  let at = first.length;
  for (const other of others) {
    const found = text.indexOf(other, at);
    if (found < 0 || found + other.length > end) return false;
    at = found + other.length;
  }
  return true;
}
