/** Records every addition to a client's file, so that exactly this addition can be removed. The records are in the user's own folder. */

import { randomUUID } from "node:crypto";
import { rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { makeFolders, readTextFile } from "@bridle/core";
import { type Environment, stateFolder } from "@bridle/project";
import { ConfigError, systemErrorCode } from "@bridle/protocol";
import { z } from "zod";

const receiptSchema = z.strictObject({
  /** The real path of the file. */
  file: z.string(),
  name: z.string(),
  entry: z.json(),
  insertions: z.array(z.strictObject({ offset: z.int().min(0), text: z.string() })),
  createdFile: z.boolean(),
  createdParent: z.boolean(),
  createdFolders: z.array(z.string()),
});

export type Receipt = z.output<typeof receiptSchema>;

const fileSchema = z.strictObject({ version: z.literal(1), entries: z.array(receiptSchema) });

export class Receipts {
  readonly #path: string | undefined;

  constructor(environment: Environment) {
    const folder = stateFolder(environment);
    this.#path = folder && join(folder, "mcp-clients.json");
  }

  async find(file: string, name: string): Promise<Receipt | undefined> {
    return (await this.#read()).find((each) => each.file === file && each.name === name);
  }

  async add(receipt: Receipt): Promise<void> {
    await this.#write([...(await this.#without(receipt)), receipt]);
  }

  async remove(receipt: Pick<Receipt, "file" | "name">): Promise<void> {
    await this.#write(await this.#without(receipt));
  }

  async #without({ file, name }: Pick<Receipt, "file" | "name">): Promise<Receipt[]> {
    return (await this.#read()).filter((each) => each.file !== file || each.name !== name);
  }

  async #read(): Promise<Receipt[]> {
    if (this.#path === undefined) return [];
    try {
      return fileSchema.parse(JSON.parse(await readTextFile(this.#path))).entries;
    } catch (cause) {
      if (systemErrorCode(cause) === "ENOENT") return [];
      throw new ConfigError(`${this.#path}, the list of entries in clients' files, is not valid. Remove it.`, {
        cause,
      });
    }
  }

  async #write(entries: readonly Receipt[]): Promise<void> {
    const path = this.#path;
    if (path === undefined) return;
    if (entries.length === 0) return rm(path, { force: true });
    makeFolders(dirname(path));
    const temporary = `${path}.${randomUUID()}`;
    await writeFile(temporary, `${JSON.stringify({ version: 1, entries }, undefined, 2)}\n`, {
      flag: "wx",
      mode: 0o600,
    });
    await rename(temporary, path);
  }
}
