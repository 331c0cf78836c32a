import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "@bridle/protocol";
import { onTestFinished } from "vitest";
import { createFolder, deskFiles, openTestContext } from "../../../app/tests/support/open-test-workspace.ts";
import type { ServeOptions } from "../../src/serve/serve-options.ts";
import { type ServingInfo, serveProject } from "../../src/serve/serve-project.ts";

/** Runs `bridle serve` for the desk of `deskFiles`, in this process, until the end of the test. */
export async function serveDesk(options: ServeOptions = {}, yaml = "", folder?: string) {
  const cwd = folder ?? (await createFolder(deskFiles));
  await writeFile(join(cwd, "bridle.yaml"), `${deskFiles["bridle.yaml"]}${yaml}`);
  return serveFolder(cwd, options);
}

/** Runs `bridle serve` for a project with a script, in this process, until the end of the test. */
export async function serveFolder(cwd: string, options: ServeOptions = {}) {
  const context = await openTestContext(cwd);
  const ending = new AbortController();
  const logged: string[] = [];
  const log = (fields: object, message: string) =>
    void logged.push(`${message} ${String(Reflect.get(fields, "error"))}`);
  const logger: Logger = { debug: log, info: log, warn: log, error: log };
  let ended: Promise<void> = Promise.resolve();
  const info = await new Promise<ServingInfo>((resolve, reject) => {
    ended = serveProject({ port: 0, rehearse: join(cwd, "script.yaml"), graceMs: 0, ...options }, context, {
      signal: ending.signal,
      logger,
      onListening: resolve,
    });
    ended.catch(reject);
  });
  const end = async () => {
    ending.abort();
    await ended;
  };
  onTestFinished(end);
  const send = (
    path: string,
    { json, token = info.token, ...init }: RequestInit & { json?: unknown; token?: string } = {},
  ) =>
    fetch(info.url + path, {
      ...init,
      headers: {
        authorization: `Bearer ${token}`,
        ...(json !== undefined && { "content-type": "application/json" }),
        ...Object.fromEntries(new Headers(init.headers)),
      },
      ...(json !== undefined && { body: JSON.stringify(json) }),
    });
  return { ...info, cwd, context, logged, end, send };
}
