/**
 * Remembered answers in readable YAML files. An answer is appended with a single write, so that several processes can append at the same
 * time.
 */
import { appendFile, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { createInputMatcher, makeFolders, readTextFile, sha256 } from "@bridle/core";
import {
  ConfigError,
  canonicalJson,
  omitUndefined,
  type PermissionStore,
  type RememberedAnswer,
  systemErrorCode,
} from "@bridle/protocol";
import { z } from "zod";
import type { PermissionFile } from "./permission-files.ts";

const header =
  '# Answers that Bridle remembers: "bridle permissions list" shows them, "bridle permissions remove" removes one.\n';

const entrySchema = z.strictObject({
  tool: z.string().min(1),
  source: z.string().exactOptional(),
  definitionHash: z.string().exactOptional(),
  definition: z.string().exactOptional(),
  when: z.record(z.string(), z.string()).exactOptional(),
  decision: z.enum(["allow", "deny"]),
  by: z.string(),
  at: z.iso.datetime(),
});
type Entry = z.output<typeof entrySchema>;

/** A remembered answer, with its file and the id with which it can be removed. */
export interface ListedPermission extends RememberedAnswer {
  readonly id: string;
  readonly file: string;
}

/** Creates the store. It reads the files each time, because the user may have removed an answer in the meantime. */
export function createPermissionStore(files: readonly PermissionFile[]): PermissionStore {
  return {
    read: async () => (await Promise.all(files.map(readAnswers))).flat(),
    async add({ scope, ...entry }) {
      const file = files.find((each) => each.scope === scope);
      if (!file)
        throw new ConfigError("There is no folder for the user's settings, so the answer cannot be stored. Set HOME.", {
          field: "HOME",
        });
      await append(file.path, toEntry(entry));
    },
  };
}

/** Lists all remembered answers, in the order of the files. Throws ConfigError for a file that cannot be read. */
export async function listPermissions(files: readonly PermissionFile[]): Promise<ListedPermission[]> {
  const listed = files.map(async (file) =>
    (await readAnswers(file)).map((answer) => ({ ...answer, id: createAnswerId(answer), file: file.path })),
  );
  return (await Promise.all(listed)).flat();
}

/** Removes the answer with that id from its file and returns it; undefined if it does not exist. */
export async function removePermission(
  files: readonly PermissionFile[],
  id: string,
): Promise<ListedPermission | undefined> {
  const listed = await listPermissions(files);
  const found = listed.find((each) => each.id === id);
  if (!found) return undefined;
  const kept = listed.filter((each) => each.file === found.file && each.id !== id);
  await replace(found.file, kept.map(toEntry));
  return found;
}

function createAnswerId(answer: RememberedAnswer): string {
  return sha256(canonicalJson(answer)).slice(0, 8);
}

function toEntry({ tool, identity, when, decision, by, at }: Omit<RememberedAnswer, "scope">): Entry {
  return { tool, ...identity, ...(when && { when }), decision, by, at };
}

function toAnswer(
  { source, definitionHash, definition, ...entry }: Entry,
  scope: RememberedAnswer["scope"],
): RememberedAnswer {
  if (source === undefined) return { ...entry, scope };
  return { ...entry, identity: { source, ...omitUndefined({ definitionHash, definition }) }, scope };
}

async function readAnswers({ path, scope }: PermissionFile): Promise<RememberedAnswer[]> {
  const text = await readText(path);
  if (text === undefined) return [];
  const { parse } = await import("yaml"); // loaded only if needed: most projects have no answers
  try {
    const entries = z.array(entrySchema).parse(parse(text) ?? []);
    for (const { when } of entries) createInputMatcher(when);
    return entries.map((entry) => toAnswer(entry, scope));
  } catch (cause) {
    const reason = cause instanceof z.ZodError ? z.prettifyError(cause) : String(cause);
    throw new ConfigError(`the remembered answers are not valid: ${reason}\nCorrect the file, or remove it.`, {
      position: { file: path },
      cause,
    });
  }
}

async function readText(path: string): Promise<string | undefined> {
  try {
    return await readTextFile(path);
  } catch (cause) {
    if (systemErrorCode(cause) === "ENOENT") return undefined;
    const message = `the remembered answers cannot be read (${systemErrorCode(cause)}). Make the file readable, or remove it.`;
    throw new ConfigError(message, { position: { file: path }, cause });
  }
}

async function append(path: string, entry: Entry): Promise<void> {
  const { stringify } = await import("yaml");
  makeFolders(dirname(path));
  await writeFile(path, header, { flag: "wx", mode: 0o600 }).catch((error: unknown) => {
    if (systemErrorCode(error) !== "EEXIST") throw error;
  });
  await appendFile(path, `\n${stringify([entry])}`);
}

async function replace(path: string, entries: readonly Entry[]): Promise<void> {
  const { stringify } = await import("yaml");
  const temporary = `${path}.${process.pid}.bridle`;
  const body = entries.map((entry) => `\n${stringify([entry])}`).join("");
  await writeFile(temporary, `${header}${body}`, { mode: 0o600 });
  await rename(temporary, path);
}
