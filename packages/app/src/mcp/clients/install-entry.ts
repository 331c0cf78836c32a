import { existsSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { ConfigError, getErrorMessage } from "@bridle/protocol";
import { z } from "zod";
import type { AppContext } from "../../context/app-context.ts";
import { applyInsertions, describeDifference, type EntryEdit, takeOutInsertions } from "../../files/text-edit.ts";
import {
  type ClientText,
  readClientText,
  removeClientText,
  requireWritableText,
  writeClientText,
} from "./client-text.ts";
import { differsOnlyIn, type EntryFile, entryFileOf, readEntry } from "./entry-file.ts";
import { type EntryCommand, findClientFile, type InstallScope, type McpClientName } from "./mcp-clients.ts";
import { type Receipt, Receipts } from "./receipts.ts";

export interface InstallOptions {
  readonly client: McpClientName;
  readonly scope: InstallScope;
  /** The name of the entry. */
  readonly name: string;
  readonly server: EntryCommand;
  readonly projectDir: string;
  /** The platform that determines the paths. Default: the current one. */
  readonly platform?: string | undefined;
}

/** A change of a client's file before it is made. */
export interface PlannedChange {
  /** The file, by the name that the client uses. */
  readonly file: string;
  /** The lines that change; empty if the file stays the same. */
  readonly difference: readonly string[];
  /** Makes the change. Throws ConfigError if the file has changed since it was planned. */
  apply(): Promise<void>;
}

/** Plans adding the entry. Throws ConfigError if the file cannot be edited, or has an entry with this name that Bridle did not write. */
export async function planInstall(
  options: InstallOptions,
  context: Pick<AppContext, "environment">,
): Promise<PlannedChange> {
  const target = await openTarget(options, context);
  const { before, format, path, entry, receipt } = target;
  const text = before.text ?? format.empty;
  const found = readEntry(target.data, path);
  if (isDeepStrictEqual(found, entry)) return nothing(target);
  if (found !== undefined && !isDeepStrictEqual(found, receipt?.entry)) throw notOurs(target, options);
  if (found !== undefined) throw changedServer(target, options);
  requireWritableText(before);
  const edit = attempt(target, () => format.insert(text, options.name, entry));
  const after = applyInsertions(text, edit.insertions);
  requireSound(target, after, entry);
  return {
    file: target.file,
    difference: describeDifference(before.text ?? "", after),
    apply: () => addEntry(target, edit, after, options),
  };
}

/** Plans removing the entry. Throws ConfigError if the file cannot be edited, or if Bridle did not write the entry. */
export async function planRemoval(
  options: InstallOptions,
  context: Pick<AppContext, "environment">,
): Promise<PlannedChange> {
  const target = await openTarget(options, context);
  const { before, receipt } = target;
  const found = readEntry(target.data, target.path);
  if (found === undefined || before.text === undefined) return nothing(target);
  if (![target.entry, receipt?.entry].some((own) => isDeepStrictEqual(found, own))) throw notOurs(target, options);
  requireWritableText(before);
  const after = attempt(target, () => removeFrom(before.text ?? "", target, options.name));
  requireSound(target, after, undefined);
  const isGone = receipt?.createdFile === true && after.trim() === target.format.empty.trim();
  return {
    file: target.file,
    difference: describeDifference(before.text, isGone ? "" : after),
    async apply() {
      if (isGone) await removeClientText(before, receipt.createdFolders);
      else await writeClientText(before, after, 0o600);
      await target.receipts.remove({ file: before.path, name: options.name });
    },
  };
}

const entrySchema = z.record(z.string(), z.json());
type JsonEntry = z.output<typeof entrySchema>;

interface Target {
  readonly file: string;
  readonly before: ClientText;
  readonly format: EntryFile;
  readonly data: unknown;
  readonly path: readonly string[];
  readonly entry: JsonEntry;
  readonly receipts: Receipts;
  readonly receipt: Receipt | undefined;
}

async function openTarget(
  { client, scope, name, server, projectDir, platform = process.platform }: InstallOptions,
  { environment }: Pick<AppContext, "environment">,
): Promise<Target> {
  const { paths, keys, entry, format: form } = findClientFile(client, scope, { environment, projectDir, platform });
  const file = paths.find((path) => existsSync(path)) ?? paths[0] ?? "";
  const before = await readClientText(file, scope === "project" ? projectDir : undefined);
  const receipts = new Receipts(environment);
  const format = entryFileOf({ format: form, keys });
  const receipt = await receipts.find(before.path, name);
  const opened = { file, before, format, receipts, receipt, path: [...keys, name] };
  const data = attempt(opened, () => format.read(before.text ?? format.empty));
  return { ...opened, data, entry: entrySchema.parse(entry(server)) };
}

/** Restores the original text if it differs only by Bridle's insertions. If not, returns the text without the entry. */
function removeFrom(text: string, target: Target, name: string): string {
  const { format, receipt } = target;
  const exact = receipt && takeOutInsertions(text, receipt.insertions);
  if (exact !== undefined && isSound(target, exact, undefined)) return exact;
  const rest = format.remove(text, name, receipt?.createdParent ?? false);
  if (rest === undefined) throw new SyntaxError(`has the entry ${name} in a form that cannot be cut out`);
  return rest;
}

/** Whether the text contains this entry, and apart from it the same data as the file before the edit. */
function isSound({ format, path, data }: Target, text: string, entry: unknown): boolean {
  try {
    const edited = format.read(text);
    return isDeepStrictEqual(readEntry(edited, path), entry) && differsOnlyIn(path, data, edited);
  } catch {
    return false;
  }
}

async function addEntry(
  { before, entry, receipts }: Target,
  { insertions, createsParent }: EntryEdit,
  after: string,
  { name, scope }: InstallOptions,
): Promise<void> {
  const createdFolders = await writeClientText(before, after, scope === "project" ? 0o644 : 0o600);
  await receipts.add({
    file: before.path,
    name,
    entry,
    insertions: [...insertions],
    createdFolders,
    createdFile: before.text === undefined,
    createdParent: createsParent,
  });
}

/** Throws ConfigError if the edit is not sound, because it would break the user's file. */
function requireSound(target: Target, after: string, entry: unknown): void {
  if (isSound(target, after, entry)) return;
  throw new ConfigError(`${target.file} cannot be edited safely. Edit the entry yourself.`);
}

function attempt<T>({ file }: Pick<Target, "file">, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new ConfigError(`${file} ${getErrorMessage(cause)}, so it was not changed. Correct it, and try again.`, {
      cause,
    });
  }
}

function nothing({ file }: Target): PlannedChange {
  return { file, difference: [], apply: async () => {} };
}

function notOurs({ file }: Target, { name }: InstallOptions): ConfigError {
  return new ConfigError(`${file} has an entry ${name} that is not of this command. Choose another name with --name.`);
}

function changedServer({ file }: Target, { client, name, scope }: InstallOptions): ConfigError {
  const remove = `bridle mcp install --client ${client} --scope ${scope} --name ${name} --remove`;
  return new ConfigError(`${file} has an entry ${name} for another server. Remove it first: ${remove}`);
}
