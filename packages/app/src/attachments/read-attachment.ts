import { resolve } from "node:path";
import { readRegularFile } from "@bridle/core";
import { ConfigError, systemErrorCode } from "@bridle/protocol";
import { leadsOutOf } from "../files/leads-out-of.ts";
import { type Attachment, toAttachment } from "./attachment.ts";

/** The maximum size of an attachment in bytes. Hosts refuse larger images, and a longer text would fill a model's context window. */
const maxBytes = 5_000_000;
const maxTextBytes = 1_000_000;

const reasons: Readonly<Record<string, string>> = { ENOENT: "does not exist", EISDIR: "is a folder" };

/** Reads a file to attach to a prompt. Throws ConfigError if it cannot be sent. `remedy` is the end of the error message. */
export async function readAttachment(name: string, cwd: string, remedy: string): Promise<Attachment> {
  const refuse = (reason: string, cause?: unknown) =>
    new ConfigError(`The file ${name} ${reason}. ${remedy}`, { field: "--file", cause });
  const bytes = await readRegularFile(resolve(cwd, name), maxBytes).catch((cause: unknown) => {
    const code = systemErrorCode(cause);
    throw refuse(reasons[code] ?? `cannot be read (${code})`, cause);
  });
  if (bytes.length === 0) throw refuse("is empty");
  const attachment = toAttachment(name, bytes);
  if (attachment === undefined) throw refuse("is not text, not a PDF and not an image (PNG, JPEG, GIF, WebP)");
  const isText = attachment.part.type === "file" && attachment.part.mediaType === "text/plain";
  if (isText && bytes.length > maxTextBytes) throw refuse(`is longer than ${maxTextBytes / 1_000_000} MB of text`);
  return { ...attachment, isOutside: await leadsOutOf(cwd, resolve(cwd, name)) };
}

/** Reads the files of `--file`. Throws ConfigError for the first file that cannot be sent. */
export async function readAttachments(names: readonly string[], cwd: string): Promise<readonly Attachment[]> {
  const attachments: Attachment[] = [];
  for (const name of names) attachments.push(await readAttachment(name, cwd, "Correct the path after --file."));
  return attachments;
}
