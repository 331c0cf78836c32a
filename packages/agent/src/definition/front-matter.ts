/** A text file that begins with YAML between two lines of `---`. */
export interface FrontMatter {
  /** Undefined where the file has none. */
  readonly yaml?: string;
  readonly body: string;
}

/** Parts a text into front matter and what follows it. A beginning without its end is no front matter. */
export function splitFrontMatter(text: string): FrontMatter {
  const parts = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?\r?\n)?---[ \t]*(?:\r?\n|$)([\s\S]*)$/.exec(text);
  return parts ? { yaml: parts[1] ?? "", body: parts[2] ?? "" } : { body: text };
}
