import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { InvalidRequestError } from "@bridle/protocol";

/** `@notes.md`, or `@"my notes.md"`, at the start of a word. */
const mention = /(?<![^\s(])@(?:"([^"\n]+)"|([^\s"]+))/g;
/** The maximum number of files that one prompt can mention. */
const max = 20;

/** Returns the paths that a prompt mentions after `@`, each once. */
export function findMentions(text: string): readonly string[] {
  const found = [...text.matchAll(mention)].map(([, quoted, word = ""]) => quoted ?? word);
  return [...new Set(found)];
}

/**
 * Returns the mentioned files that exist. A sign after a path, such as the full stop of a sentence, is not part of the path. Throws
 * InvalidRequestError if there are too many.
 */
export async function findMentionedFiles(text: string, cwd: string): Promise<readonly string[]> {
  const files: string[] = [];
  for (const path of findMentions(text)) {
    const shorter = path.replace(/[.,;:!?)\]}>'"]+$/, "");
    const existing = (await isFile(path, cwd)) ? path : (await isFile(shorter, cwd)) ? shorter : undefined;
    if (existing === undefined || files.includes(existing)) continue;
    if (files.push(existing) <= max) continue;
    throw new InvalidRequestError(
      `The prompt mentions more than ${max} files, which cannot be sent at once. Mention fewer.`,
    );
  }
  return files;
}

async function isFile(path: string, cwd: string): Promise<boolean> {
  if (path === "") return false;
  try {
    return (await stat(resolve(cwd, path))).isFile();
  } catch {
    return false;
  }
}
