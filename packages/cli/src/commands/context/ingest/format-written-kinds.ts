import type { IngestedContext } from "@bridle/app/ingest";
import { counted } from "@bridle/protocol";

const shown = [
  ["page", "page"],
  ["model", "metric model"],
  ["tables", "file about tables"],
] as const;

/** Lists the files by kind. */
export function formatWrittenKinds({ files }: IngestedContext): string {
  return shown
    .flatMap(([kind, noun]) => {
      const own = files.filter((file) => file.kind === kind);
      const names = own.map(({ file }) => file.slice(file.lastIndexOf("/") + 1).replace(/\.(?:md|yaml)$/, ""));
      const plural = kind === "tables" ? "files about tables" : undefined;
      return own.length === 0 ? [] : [`  ${counted(own.length, noun, plural)}: ${names.join(", ")}\n`];
    })
    .join("");
}
