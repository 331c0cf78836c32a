import { isServiceSource, sourceSecretKeys } from "@bridle/ingest/definitions";
import { type FolderEffect, isPlainObject } from "@bridle/protocol";
import type { ContextConfig } from "../config/context.ts";
import { asWritten, isOutside, shownAddress, shownWord, type WrittenTexts } from "./effect-values.ts";

/**
 * Lists one effect for each source that lets ingest read outside of the file's folder, or from a service with credentials. A path in the
 * folder has no effect, because its documents are checked like every other text.
 */
export function sourceEffects(
  { sources }: Pick<ContextConfig, "sources">,
  written: WrittenTexts,
  projectDir: string,
): FolderEffect[] {
  return Object.entries(sources).flatMap(([name, entry]): FolderEffect[] => {
    const field = `context.sources.${name}`;
    const absent = Object.fromEntries(
      Object.entries(written).flatMap(([path, text]) =>
        path.startsWith(`${field}.`) ? [[path.slice(field.length + 1), text] as const] : [],
      ),
    );
    const filled = asWritten({ ...absent, ...entry }, written, field);
    const shown = isPlainObject(filled) ? filled : {};
    const { type } = entry;
    const content = JSON.stringify(shown);
    const settings = Object.entries(shown)
      .filter(([key]) => key !== "type")
      .map(([key, value]) => `${key}: ${shownValue(key, value)}`)
      .join(", ");
    if (isServiceSource(type) && shown.path === undefined) {
      return [
        { kind: "sends", subject: `credentials to the source ${name} of ${type}, with ${settings}`, field, content },
      ];
    }
    const isFar = [shown.path, shown.target].some((path) => typeof path === "string" && isOutside(projectDir, path));
    if (!isFar) return [];
    return [{ kind: "reads", subject: `the files of the source ${name} of ${type}, with ${settings}`, field, content }];
  });
}

/** Formats a value. A credential that the file itself contains is not shown. */
function shownValue(key: string, value: unknown): string {
  if (sourceSecretKeys.includes(key) && typeof value === "string" && !value.includes("${")) return "[credentials]";
  return typeof value === "string" ? shownWord(shownAddress(value)) : JSON.stringify(value);
}
