import { mkdir, mkdtemp, readdir, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EventLog } from "@bridle/protocol";
import { expect, onTestFinished, test } from "vitest";
import type { ProjectCli } from "../../command/cli.ts";
import { exportSession } from "./session-files.ts";

test("an export is not written through a link in .bridle, which may have come with the project", async () => {
  const cwd = await mkdtemp(join(tmpdir(), "bridle-export-"));
  onTestFinished(() => rm(cwd, { recursive: true }));
  const folder = join(cwd, ".bridle");
  for (const path of [folder, join(cwd, "public")]) await mkdir(path);
  await symlink(join(cwd, "public"), join(folder, "exports"));
  const eventLog = { read: async () => [{}] } as unknown as EventLog;
  const cli = { cwd, project: { folder } } as unknown as ProjectCli;
  await expect(exportSession("ses_1", undefined, { eventLog, cli })).rejects.toThrow("exports is a link");
  expect(await readdir(join(cwd, "public"))).toEqual([]);
});
