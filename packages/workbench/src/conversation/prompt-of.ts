import type { SessionEntry } from "../connection/session-entries.ts";

type Message = Extract<SessionEntry, { kind: "user" }>["message"];

/** The words of a message, without what is attached to it. */
export function promptOf({ content }: Message): string {
  if (typeof content === "string") return content;
  return content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}
