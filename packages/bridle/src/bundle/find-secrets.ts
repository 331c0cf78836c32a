import type { Redactor } from "@bridle/core";
import type { TarFile } from "./tar.ts";

/** Where credentials stand, as `file:line`; never the credentials themselves. */
export function findSecrets(files: readonly TarFile[], redactor: Redactor): string[] {
  return files.flatMap(({ path, content }) => {
    const text = Buffer.from(content).toString("utf8");
    if (redactor.text(text) === text) return [];
    const lines = text.split("\n").flatMap((line, index) => (redactor.text(line) === line ? [] : [index + 1]));
    return lines.length === 0 ? [path] : lines.map((line) => `${path}:${line}`);
  });
}
