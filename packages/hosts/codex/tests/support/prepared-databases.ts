import { EmptyDatabases } from "../../src/home/empty-databases.ts";
import { createDatabases } from "../../src/process/database-preparation.ts";

let prepared: Promise<void> | undefined;

/** Creates the file of empty databases in the tests' cache, so that no test's process creates it in the background. */
export function prepareDatabases(): Promise<void> {
  prepared ??= prepare();
  return prepared;
}

async function prepare(): Promise<void> {
  const databases = new EmptyDatabases();
  const environment = { PATH: process.env.PATH };
  if (databases.read() !== undefined) return;
  await databases.store(() => createDatabases({ environment }, new AbortController().signal));
}
