import { ConfigError } from "@bridle/protocol";
import { stringify } from "yaml";
import { EditedDocument } from "../files/yaml/edit-document.ts";
import type { PageFront } from "./page-schema.ts";
import { splitPage } from "./split-page.ts";

/** Writes a page as the text of its file. `parsePage` reads the same page from this text. */
export function formatPage({ front, body }: { readonly front: PageFront; readonly body: string }): string {
  const filled = Object.entries(front).filter(([, value]) => value !== undefined && !isEmptyList(value));
  const yaml = filled.length === 0 ? "" : stringify(Object.fromEntries(filled), { lineWidth: 0 });
  return joinPage(yaml === "" ? undefined : yaml, body);
}

/**
 * Returns the text of a page after changing values of its front matter and its body. Keeps comments, order and unknown keys. A value that
 * is undefined or an empty list removes its key.
 *
 * @throws ConfigError with the position if the front matter cannot be edited.
 */
export function editPage(
  text: string,
  file: string,
  { front, body }: { readonly front: Readonly<Record<string, unknown>>; readonly body: string },
): string {
  const page = splitPage(text);
  if (page.isOpen) {
    throw new ConfigError("the page cannot be changed: its front matter does not end. Add a line with --- after it.", {
      position: { file, line: 1, column: 1 },
    });
  }
  const document = new EditedDocument(page.front ?? "", file, page.front === undefined ? 0 : 1);
  let isEdited = false;
  for (const [key, value] of Object.entries(front)) {
    const wanted = isEmptyList(value) ? undefined : value;
    if (JSON.stringify(document.get([key])) === JSON.stringify(wanted)) continue;
    document.set([key], wanted);
    isEdited = true;
  }
  const yaml = isEdited ? document.toString() : page.front;
  const edited = joinPage(
    yaml?.trim() === "{}" ? undefined : yaml,
    body,
    page.front === undefined ? "\n" : leadOf(page.body),
  );
  const withMark = text.startsWith("\ufeff") ? `\ufeff${edited}` : edited;
  return text.includes("\r\n") ? withMark.replaceAll("\n", "\r\n") : withMark;
}

function joinPage(yaml: string | undefined, body: string, lead = "\n"): string {
  const text = body.replaceAll(/^\n+|\s+$/g, "");
  const end = text === "" ? "" : `${text}\n`;
  if (yaml === undefined) return /^---[ \t]*$/m.test(end.split("\n")[0] ?? "") ? `\n${end}` : end; // the text begins like a front matter
  return `---\n${yaml}---\n${end === "" ? "" : `${lead}${end}`}`;
}

/** Returns the blank lines between front matter and text. */
function leadOf(body: string): string {
  return body.trim() === "" ? "\n" : (/^\n*/.exec(body)?.[0] ?? "");
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}
