import type { RecordedRequest } from "@bridle/rehearsal";
import { z } from "zod";

const block = z.looseObject({ type: z.string(), text: z.string().optional(), cache_control: z.unknown().optional() });
const blocks = z.union([z.string().transform((text) => [{ type: "text", text }]), z.array(block)]);

const body = z.looseObject({
  max_tokens: z.number(),
  system: blocks,
  messages: z.array(z.looseObject({ role: z.string(), content: blocks })),
});

export type WireBody = z.infer<typeof body>;

/** Reads the model requests, in order. */
export function modelRequests(requests: readonly RecordedRequest[]): WireBody[] {
  return requests.filter(({ path }) => path === "/v1/messages").map((request) => body.parse(request.body));
}

/** Writes each block of a conversation as one line: its role, its kind, and its text if it has one. */
export function linesOf({ messages }: WireBody): string[] {
  return messages.flatMap(({ role, content }) =>
    content.map(({ type, text }) => (text === undefined ? `${role}: (${type})` : `${role}: ${text}`)),
  );
}

/** Returns the credentials that requests carried, each once. */
export function credentialsOf(requests: readonly RecordedRequest[]): string[] {
  const found = requests.flatMap(({ headers }) => [headers.authorization, headers["x-api-key"]]);
  return [...new Set(found.filter((value) => value !== undefined).map(String))];
}
