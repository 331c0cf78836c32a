import type { Redactor } from "@bridle/core";
import type { TarFile } from "./tar.ts";

/** The positions of credentials as `file:line`, also in the names of files. Never the credentials themselves. */
export function findSecrets(files: readonly TarFile[], redactor: Redactor): string[] {
  return files.flatMap(({ path, content }) => {
    const shown = redactor.text(path);
    const named = shown === path ? [] : [`the name ${shown}`];
    const text = Buffer.from(content).toString("utf8");
    if (redactor.text(text) === text) return named;
    const lines = text.split("\n").flatMap((line, index) => (redactor.text(line) === line ? [] : [index + 1]));
    return [...named, ...(lines.length === 0 ? [shown] : lines.map((line) => `${shown}:${line}`))];
  });
}
