import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../scripts/packages.ts";

/** A document of the repository. Paths are relative to the repository's root. */
export interface Document {
  readonly path: string;
  readonly text: string;
}

/** A fenced code block. */
export interface Block {
  readonly language: string;
  readonly code: string;
  /** The line number of the first line of code, from 1. */
  readonly line: number;
  /** The comment directly before the block, such as `not run: needs a login`. */
  readonly remark: string;
  /** The `text` block that follows directly: the command's output. */
  readonly output?: string;
}

export function readDocuments(patterns: readonly string[]): Document[] {
  const paths = globSync([...patterns], { cwd: root, exclude: ["**/node_modules/**"] }).sort();
  return paths.map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));
}

const fence =
  /^(?:<!-- (?<remark>.*?) -->\n+)?```(?<language>\w+)\n(?<code>.*?)^```\n(?:\n```text\n(?<output>.*?)^```\n)?/gms;

export function blocksOf({ text }: Pick<Document, "text">): Block[] {
  return [...text.matchAll(fence)].map(({ groups = {}, index, 0: all }) => {
    const { language = "", code = "", remark = "", output } = groups;
    const line = text.slice(0, index + all.indexOf(code, all.indexOf("```"))).split("\n").length;
    return { language, code, line, remark, ...(output !== undefined && { output }) };
  });
}

/** Returns the document's text without its code blocks: prose, with `words` in backticks. */
export function proseOf({ text }: Pick<Document, "text">): string {
  return text.replaceAll(/^```.*?^```$/gms, "").replaceAll(/<!--.*?-->/gs, "");
}
