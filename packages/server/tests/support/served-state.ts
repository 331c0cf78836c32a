import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { WideDesk } from "./wide-desk.ts";

const lists = [
  "sessions?limit=200",
  "sessions?limit=200&tests=true",
  "approvals?state=all&limit=200",
  "permissions",
  "rules",
  "agents",
  "tests/runs?limit=200",
  "documents?agent=agent",
];

/**
 * Reads all of the owner's state that a request could change: the replies of the lists, and the hashes of the project's files.
 * Databases, locks and files of other users are excluded.
 */
export async function readState({
  send,
  cwd,
}: Pick<WideDesk, "send" | "cwd">): Promise<Readonly<Record<string, string>>> {
  const listed = await Promise.all(
    lists.map(async (path) => [path, await (await send(`/api/v1/${path}`)).text()] as const),
  );
  const names = readdirSync(cwd, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.(lock|db|sqlite)(-\w+)?$/.test(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => !path.includes("/.bridle/ns/"));
  const files = names.map((path) => [path, createHash("sha256").update(readFileSync(path)).digest("hex")] as const);
  return Object.fromEntries([...listed, ...files]);
}
