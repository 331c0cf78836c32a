import type { SessionEntry } from "../connection/session-entries.ts";

type Message = Extract<SessionEntry, { kind: "user" }>["message"];

/** Returns the text of a message, without its attachments. */
export function promptOf({ content }: Message): string {
  if (typeof content === "string") return content;
  return content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}
