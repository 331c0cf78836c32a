import type { PromptToSend } from "@bridle/client";

export type Attached = NonNullable<PromptToSend["attachments"]>[number] & { readonly name: string };

/** The maximum size of one attachment in bytes. A message is at most 1 MiB, and base64 adds a third. */
const maxBytes = 700_000;

/** Reads a file that the user chose. Throws an Error with the reason if it cannot be attached. */
export async function readAttachment(file: File): Promise<Attached> {
  if (file.size > maxBytes)
    throw new Error(`${file.name} has ${Math.ceil(file.size / 1000)} kB. Attach at most ${maxBytes / 1000} kB.`);
  const bytes = new Uint8Array(await file.arrayBuffer());
  return { name: file.name, mediaType: file.type === "" ? "text/plain" : file.type, data: toBase64(bytes) };
}

/** Converts a long pasted text to an attachment. */
export function textAttachment(text: string, before: number): Attached {
  const name = before === 0 ? "pasted.txt" : `pasted-${before + 1}.txt`;
  return { name, mediaType: "text/plain", data: toBase64(new TextEncoder().encode(text)) };
}

/** Converts an attachment of a message. A missing name becomes `attached`. */
export function named(attachment: NonNullable<PromptToSend["attachments"]>[number]): Attached {
  return { ...attachment, name: attachment.name ?? "attached" };
}

function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}
