/** A string with YAML between two lines of `---` at its beginning. */
export interface FrontMatter {
  /** Undefined if the string has no front matter. */
  readonly yaml?: string;
  readonly body: string;
}

/** Splits a string into front matter and body. Front matter without a closing `---` is part of the body. */
export function splitFrontMatter(text: string): FrontMatter {
  const parts = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?\r?\n)?---[ \t]*(?:\r?\n|$)([\s\S]*)$/.exec(text);
  return parts ? { yaml: parts[1] ?? "", body: parts[2] ?? "" } : { body: text };
}
