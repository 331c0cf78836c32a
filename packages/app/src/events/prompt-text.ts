import type { PromptMessage } from "@bridle/protocol";

/** A message as text, with `[image: image/png]` in place of an image or a file. */
export function promptText({ content }: PromptMessage): string {
  if (typeof content === "string") return content;
  return content.map((part) => (part.type === "text" ? part.text : `[${part.type}: ${part.mediaType}]`)).join("\n");
}
