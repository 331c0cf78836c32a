import { counted, type Message, type PromptPart } from "@bridle/protocol";

/** A file that is sent with a prompt. */
export interface Attachment {
  /** The path as the user named it. */
  readonly name: string;
  /** A description, such as `text, 12 lines` or `image/png, 48 kB`. */
  readonly description: string;
  readonly part: PromptPart;
  /** Whether the file is outside of the working folder. A link in that folder does not change this. */
  readonly isOutside: boolean;
}

/** A prompt that the user typed, with its attached files. */
export interface AttachedPrompt {
  readonly text: string;
  readonly attachments: readonly Attachment[];
}

/** Creates the message that the model gets: the text, then the files. */
export function attachedMessage({ text, attachments }: AttachedPrompt): Message {
  const words: PromptPart[] = text.trim() === "" ? [] : [{ type: "text", text }];
  return { role: "user", content: [...words, ...attachments.map(({ part }) => part)] };
}

/** The image formats that models read, by their first bytes. */
const imageTypes = [
  { mediaType: "image/png", begins: /^\u0089PNG\r\n/ },
  { mediaType: "image/jpeg", begins: /^\xff\xd8\xff/ },
  { mediaType: "image/gif", begins: /^GIF8[79]a/ },
  { mediaType: "image/webp", begins: /^RIFF.{4}WEBP/s },
] as const;

/** Converts the content of a file to a part of a prompt. Returns `undefined` if the content is not text, an image or a PDF. */
export function toAttachment(name: string, bytes: Buffer): Omit<Attachment, "isOutside"> | undefined {
  const start = bytes.subarray(0, 16).toString("latin1");
  const image = imageTypes.find(({ begins }) => begins.test(start));
  const data = bytes.toString("base64");
  if (image !== undefined) {
    const { mediaType } = image;
    return { name, description: `${mediaType}, ${formatSize(bytes)}`, part: { type: "image", mediaType, data } };
  }
  if (start.startsWith("%PDF-")) {
    const part: PromptPart = { type: "file", mediaType: "application/pdf", data, name };
    return { name, description: `PDF, ${formatSize(bytes)}`, part };
  }
  return toTextAttachment(name, bytes);
}

function toTextAttachment(name: string, bytes: Buffer): Omit<Attachment, "isOutside"> | undefined {
  const text = decodeText(bytes);
  if (text === undefined) return undefined;
  const lines = text.replace(/\n$/, "").split("\n").length;
  const data = Buffer.from(text, "utf8").toString("base64");
  const part: PromptPart = { type: "file", mediaType: "text/plain", data, name };
  return { name, description: `text, ${counted(lines, "line")}`, part };
}

/** Decodes UTF-8, or UTF-16 with a byte order mark. Undefined for a binary file, which contains NUL characters or is neither. */
function decodeText(bytes: Buffer): string | undefined {
  const [first, second] = bytes;
  const encoding =
    first === 0xff && second === 0xfe ? "utf-16le" : first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return text.includes("\0") ? undefined : text;
  } catch {
    return undefined;
  }
}

function formatSize({ length }: Buffer): string {
  if (length < 1000) return `${length} bytes`;
  return length < 1_000_000 ? `${Math.round(length / 1000)} kB` : `${(length / 1_000_000).toFixed(1)} MB`;
}
