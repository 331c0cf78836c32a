import { createHash, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import type { Caller } from "../caller.ts";

/** One token in the token file. */
export const tokenSchema = z.strictObject({
  name: z
    .string()
    .regex(/^[\w.-]{1,60}$/, "has to consist of up to 60 letters, digits, dots, dashes and underscores")
    .describe("the name of the owner, for the event log"),
  token: z.string().min(32, "has to have at least 32 characters").describe("the secret that the client sends"),
  writes: z.boolean().default(false).describe("may call tools that change something, if the server has --allow-writes"),
  scope: z.json().optional().describe("the data that the owner may see, in the form of the tools. Default: everything"),
});

export type McpToken = z.output<typeof tokenSchema>;

/** Finds the owner of the token in the `Authorization` header; undefined for a missing or wrong token. */
export function findCaller(authorization: string | undefined, tokens: readonly McpToken[]): Caller | undefined {
  const [, given = ""] = /^Bearer +([\x21-\x7e]+) *$/i.exec(authorization ?? "") ?? [];
  const hash = digest(given);
  const [found] = tokens.filter(({ token }) => timingSafeEqual(digest(token), hash)); // compares with every token
  if (given === "" || found === undefined) return undefined;
  const { name, writes, scope } = found;
  return { name, transport: "http", writes, ...(scope !== undefined && { scope }) };
}

/** Hashes a token. All hashes have the same length, so comparing them takes the same time for every token. */
function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
