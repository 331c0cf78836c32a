import type { PromptMessage, PromptPart } from "../messages/prompt.ts";

/** Returns a message as text, with `[image: image/png]` in place of an image, and `[file: notes.md]` in place of a file. */
export function promptText({ content }: PromptMessage): string {
  if (typeof content === "string") return content;
  return content.map(partText).join("\n");
}

function partText(part: PromptPart): string {
  if (part.type === "text") return part.text;
  return part.type === "file" ? `[file: ${part.name ?? part.mediaType}]` : `[image: ${part.mediaType}]`;
}
