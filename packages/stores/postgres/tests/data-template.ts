import { execFileSync } from "node:child_process";
import { existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";

/**
 * Creates the data of a new server in `folder`, which does not exist yet. The first server of a run of the tests is created; the others
 * are copies, because that takes a fifth of the time.
 */
export function createData(folder: string, product: string, create: () => void): void {
  const { BRIDLE_TEST_HOME: home } = process.env;
  const template = home && join(home, `empty-${product}`);
  if (template && existsSync(template)) copy(template, folder);
  else {
    create();
    if (template) keep(folder, template);
  }
}

/** Other workers see the template only when it is whole. */
function keep(folder: string, template: string): void {
  const own = `${template}-${process.pid}`;
  copy(folder, own);
  try {
    renameSync(own, template);
  } catch {
    rmSync(own, { recursive: true }); // another worker was first
  }
}

/** With their owners, and with the holes of files that are mostly empty. */
function copy(from: string, to: string): void {
  execFileSync("cp", ["-a", "--sparse=always", from, to]);
}
