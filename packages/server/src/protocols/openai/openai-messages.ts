/** Reads messages of OpenAI's two APIs. */
import type { HistoryMessage, PromptMessage, PromptPart } from "@bridle/protocol";
import { z } from "zod";
import { RequestProblem } from "../../http/problem.ts";
import { toPartOfUrl } from "../shared/prompt-parts.ts";

const part = z.looseObject({ type: z.string() });
export const openAiMessageSchema = z.looseObject({
  role: z.string(),
  content: z.union([z.string(), z.array(part)]).nullish(),
});
type OpenAiMessage = z.infer<typeof openAiMessageSchema>;

const textPart = z.looseObject({ type: z.enum(["text", "input_text", "output_text"]), text: z.string() });
const imagePart = z.looseObject({ type: z.literal("input_image"), image_url: z.string() });
const chatImagePart = z.looseObject({ type: z.literal("image_url"), image_url: z.looseObject({ url: z.string() }) });
const filePart = z.looseObject({
  type: z.literal("input_file"),
  file_data: z.string(),
  filename: z.string().optional(),
});
const chatFilePart = z.looseObject({
  type: z.literal("file"),
  file: z.looseObject({ file_data: z.string(), filename: z.string().optional() }),
});

/**
 * Reads the user and assistant messages. Other messages have no effect, because the agent file contains the instructions, and the event log
 * the calls.
 */
export function readConversation(messages: readonly OpenAiMessage[]): HistoryMessage[] {
  return messages.flatMap(({ role, content }): HistoryMessage[] => {
    if (role !== "user" && role !== "assistant") return [];
    const parts = typeof content === "string" ? [text(content)] : (content ?? []).map(toPart);
    const own = parts.filter((each) => each.type !== "text" || each.text.trim() !== "");
    return own.length > 0 ? [{ role, content: own }] : [];
  });
}

/**
 * Splits a conversation into the prompt, which is its last message, and the messages before it. @throws RequestProblem if the last
 * message is not a user message.
 */
export function splitPrompt(conversation: readonly HistoryMessage[]): {
  readonly prompt: PromptMessage;
  readonly before: readonly HistoryMessage[];
} {
  const last = conversation.at(-1);
  if (last?.role !== "user") {
    throw new RequestProblem(422, "no-prompt", "The last message is not one of a user with a text or a file. Add one.");
  }
  return { prompt: { role: "user", content: last.content as PromptPart[] }, before: conversation.slice(0, -1) };
}

function text(value: string): PromptPart {
  return { type: "text", text: value };
}

function toPart(given: z.infer<typeof part>): PromptPart {
  const parsed = textPart.safeParse(given);
  if (parsed.success) return text(parsed.data.text);
  const image = imagePart.safeParse(given);
  if (image.success) return toPartOfUrl(image.data.image_url);
  const chatImage = chatImagePart.safeParse(given);
  if (chatImage.success) return toPartOfUrl(chatImage.data.image_url.url);
  const file = filePart.safeParse(given);
  if (file.success) return toPartOfUrl(file.data.file_data, file.data.filename);
  const chatFile = chatFilePart.safeParse(given);
  if (chatFile.success) return toPartOfUrl(chatFile.data.file.file_data, chatFile.data.file.filename);
  throw new RequestProblem(
    422,
    "unsupported-content",
    `Content of type "${given.type.slice(0, 60)}" is not supported. Send text.`,
  );
}

/** Request fields without an effect, because the agent file sets their values. */
const ignoredFields = [
  "instructions",
  "temperature",
  "top_p",
  "max_tokens",
  "max_output_tokens",
  "max_completion_tokens",
  "stop",
  "seed",
  "presence_penalty",
  "frequency_penalty",
  "logit_bias",
  "reasoning",
  "reasoning_effort",
  "response_format",
  "text",
  "service_tier",
  "truncation",
  "include",
  "prompt",
  "parallel_tool_calls",
  "max_tool_calls",
  "tool_choice",
];

/** Returns a header that lists the ignored fields, to help with debugging. */
export function ignoredHeader(
  body: Readonly<Record<string, unknown>>,
  messages: readonly OpenAiMessage[],
): Readonly<Record<string, string>> {
  const fields = ignoredFields.filter((field) => body[field] !== undefined && body[field] !== null);
  const hasInstructions = messages.some(({ role }) => role === "system" || role === "developer");
  const ignored = [...fields, ...(hasInstructions ? ["system-messages"] : [])];
  return ignored.length > 0 ? { "x-bridle-ignored": ignored.join(", ") } : {};
}

/**
 * Rejects requests with tools. @throws RequestProblem if the client sends tools, because the client would wait for calls to these tools.
 */
export function refuseTools(tools: readonly unknown[] | null | undefined): void {
  if ((tools?.length ?? 0) === 0) return;
  throw new RequestProblem(422, "client-tools", "Tools of a client are not offered to the agent. Leave `tools` empty.");
}
