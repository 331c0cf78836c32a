import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A temporary home, so that tests never read the user's own home. */
export interface TemporaryHome {
  readonly home: string;
  readonly configDir: string;
  readonly project: string;
  /** The environment of a shell with that home, without credentials. */
  readonly environment: Readonly<Record<string, string>>;
  remove(): Promise<void>;
}

export async function createHome(): Promise<TemporaryHome> {
  const root = await mkdtemp(join(tmpdir(), "bridle-test-"));
  const [home, configDir, project] = [join(root, "home"), join(root, "home", ".claude"), join(root, "project")];
  const { mkdir } = await import("node:fs/promises");
  await mkdir(configDir, { recursive: true });
  await mkdir(project);
  const environment = {
    PATH: process.env.PATH ?? "",
    HOME: home,
    CLAUDE_CONFIG_DIR: configDir,
    TMPDIR: tmpdir(),
    LANG: "C.UTF-8",
  };
  return {
    home,
    configDir,
    project,
    environment,
    remove: () => rm(root, { recursive: true, force: true, maxRetries: 5 }),
  };
}
