/** Returns a valid name for models: letters, digits and underscores, not beginning with a digit. */
export function toModelName(text: string): string {
  const name = text
    .normalize("NFKC")
    .replaceAll(/[^\p{L}\p{N}_]+/gu, "_")
    .replaceAll(/^_+(?=.)|_+$/g, "")
    .slice(0, 80);
  return /^[\p{L}_]/u.test(name) ? name : `_${name}`;
}

/** Returns the name, with the first number that makes it unique if it is taken. Adds the result to `taken`, in lower case. */
export function takeModelName(wanted: string, taken: Set<string>): string {
  let name = wanted;
  for (let number = 2; taken.has(name.toLowerCase()); number++) name = `${wanted}_${number}`;
  taken.add(name.toLowerCase());
  return name;
}

/** Words that have another meaning in expressions unless they are quoted. */
const keywords =
  /^(?:select|from|where|join|union|with|case|when|then|else|end|and|or|not|in|is|like|between|null|true|false|cast|distinct|as|exists|all|any|some|over|date|timestamp|interval|extract)$/i;

/** Writes a column as an expression of a model. */
export function writeColumn(column: string): string {
  const isPlain = /^[\p{L}_][\p{L}\p{N}_]*$/u.test(column) && !keywords.test(column);
  return isPlain ? column : `"${column.replaceAll('"', '""')}"`;
}

/** Returns the column if an expression consists of nothing else; undefined for any other expression. */
export function columnOfExpression(expression: string): string | undefined {
  if (/^[\p{L}_][\p{L}\p{N}_$]*$/u.test(expression)) return expression;
  const quoted = /^"((?:[^"]|"")+)"$/.exec(expression)?.[1];
  return quoted?.replaceAll('""', '"');
}
