import type { PromptMessage } from "@bridle/protocol";

/** A message as text; an image or a file as what it is. */
export function promptText({ content }: PromptMessage): string {
  if (typeof content === "string") return content;
  return content.map((part) => (part.type === "text" ? part.text : `[${part.type}: ${part.mediaType}]`)).join("\n");
}
