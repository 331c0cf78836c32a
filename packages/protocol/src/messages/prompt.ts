import { z } from "zod";
import { InvalidRequestError } from "../errors/errors.ts";
import { isPlainObject } from "../text/json.ts";

const textPartSchema = z.strictObject({ type: z.literal("text"), text: z.string() });

const base64 = z.base64().min(1);

/** An image, as base64 without a `data:` prefix. */
export const imagePartSchema = z.strictObject({
  type: z.literal("image"),
  mediaType: z.enum(["image/png", "image/jpeg", "image/gif", "image/webp"]),
  data: base64,
});

/** A document, as base64 without a `data:` prefix: a PDF or any kind of text. */
const filePartSchema = z.strictObject({
  type: z.literal("file"),
  mediaType: z.union([z.literal("application/pdf"), z.templateLiteral(["text/", z.string()])]),
  data: base64,
  name: z.string().optional(),
});

export const partSchema = z.discriminatedUnion("type", [textPartSchema, imagePartSchema, filePartSchema]);
export type PromptPart = z.infer<typeof partSchema>;
export type ImagePart = z.infer<typeof imagePartSchema>;

export const messageSchema = z.strictObject({
  role: z.enum(["user", "assistant"]),
  content: z.union([z.string(), z.array(partSchema).min(1).readonly()]),
});

/** One message of a prompt as a caller writes it. */
export type PromptMessage = z.infer<typeof messageSchema>;

/**
 * A prompt: a string, or messages that end with a user's message.
 *
 * @example
 * const prompt: Prompt = [
 *   { role: "user", content: "My order is A-1001." },
 *   { role: "assistant", content: "Thank you." },
 *   { role: "user", content: "Where is it?" },
 * ];
 */
export type Prompt = string | readonly PromptMessage[];

/** A message. Its content is always a list of parts. */
export interface Message {
  role: "user" | "assistant";
  content: readonly PromptPart[];
}

const wholeMessageSchema = z.strictObject({
  role: z.enum(["user", "assistant"]),
  content: z.array(partSchema).min(1, "a message needs at least one part").readonly(),
});

/**
 * Turns a prompt into messages with parts.
 *
 * @throws InvalidRequestError if the prompt is empty or malformed. The message names the invalid part.
 */
export function normalisePrompt(prompt: Prompt): readonly Message[] {
  if (typeof prompt === "string") return [textMessage(requireText(prompt))];
  const parsed = z.array(z.preprocess(inParts, wholeMessageSchema)).safeParse(prompt);
  if (!parsed.success) throw new InvalidRequestError(`The prompt is not valid: ${z.prettifyError(parsed.error)}`);
  for (const part of parsed.data.flatMap(({ content }) => content)) if (part.type === "text") requireText(part.text);
  if (parsed.data.at(-1)?.role !== "user") {
    throw new InvalidRequestError("The last message of the prompt must have the role user. Add one.");
  }
  return parsed.data;
}

/** Converts text content to parts before validation, because a union of text and parts in the schema would hide an issue's path. */
function inParts(message: unknown): unknown {
  if (!isPlainObject(message) || typeof message.content !== "string") return message;
  return { ...message, content: [{ type: "text", text: message.content }] };
}

/** Creates a user's message with one text part. */
export function textMessage(text: string): Message {
  return { role: "user", content: [{ type: "text", text }] };
}

/** Joins the text parts of a message with blank lines. */
export function messageText(message: Message): string {
  return message.content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n\n");
}

function requireText(text: string): string {
  if (!text.isWellFormed()) {
    throw new InvalidRequestError("The prompt contains half of a surrogate pair, which cannot be sent. Remove it.");
  }
  if (text.trim() === "") throw new InvalidRequestError("The prompt is empty. Add a text.");
  return text;
}
