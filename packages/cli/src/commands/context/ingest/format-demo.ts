/** What the demo of ingest shows of its results. */
import type { IngestedContext, WhyAnswer } from "@bridle/app/ingest";
import { counted } from "@bridle/protocol";
import { toPrintableLine } from "../../../terminal/printable.ts";

const shown = [
  ["page", "page"],
  ["model", "metric model"],
  ["tables", "file about tables"],
] as const;

/** The files, by kind. */
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

/** The quotes that something is known from. */
export function formatReasons({ key, claims }: WhyAnswer): string {
  if (claims.length === 0) return `Nothing is known about ${key}.\n`;
  return claims
    .flatMap(({ text, status, sources }) => [
      `${toPrintableLine(text)} (${status})`,
      ...sources.map(
        ({ source, item, quote }) => `  ${source}, ${item}: ${JSON.stringify(quote.replaceAll(/\s+/g, " "))}`,
      ),
    ])
    .map((line) => `${line}\n`)
    .join("");
}

/** What documents contradict each other about, with all wordings. */
export function formatDisputed({ contested }: IngestedContext): string {
  return contested
    .flatMap(({ claims, reason }) => [
      `Documents disagree${reason === undefined ? "" : `: ${reason}`}`,
      ...claims.map(
        ({ text, sources }) => `  ${toPrintableLine(text)} (${sources.map(({ item }) => item).join(", ")})`,
      ),
    ])
    .map((line) => `${line}\n`)
    .join("");
}
