import { statSync } from "node:fs";
import { dirname } from "node:path";
import { ReplacedFile } from "@bridle/context";
import { makeFolders } from "@bridle/core";

/** Throws if a file is read-only, and so meant to stay unchanged. Replacing a file needs write permission only for its folder. */
export function requireWritableFile(path: string, file: string): void {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode;
  if (mode !== undefined && (mode & 0o222) === 0) {
    throw new Error(`${file} may not be changed: it is read-only. Make it writable, and run it again.`);
  }
}

/** Replaces a file so that readers see either the old or the new text. Throws ConfigError. */
export function writeWhole(path: string, text: string): void {
  makeFolders(dirname(path), { isShared: true });
  const replaced = new ReplacedFile(path);
  try {
    replaced.replace(text);
  } finally {
    replaced.forget();
  }
}
