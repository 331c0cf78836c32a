import { statSync } from "node:fs";
import { dirname } from "node:path";
import { ReplacedFile } from "@bridle/context";
import { makeFolders } from "@bridle/core";

/** To replace a file, only its folder needs to be writable. But somebody who takes the permission away means it. */
export function requireWritableFile(path: string, file: string): void {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode;
  if (mode !== undefined && (mode & 0o222) === 0) {
    throw new Error(`${file} may not be changed: it is read-only. Make it writable, and run it again.`);
  }
}

/** Readers see the old text or the new one. Throws ConfigError. */
export function writeWhole(path: string, text: string): void {
  makeFolders(dirname(path), { isShared: true });
  const replaced = new ReplacedFile(path);
  try {
    replaced.replace(text);
  } finally {
    replaced.forget();
  }
}
