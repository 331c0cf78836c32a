import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { changeTableFile } from "../src/files/change-files.ts";
import { listChanges } from "../src/files/list-changes.ts";

const projectDir = mkdtempSync(join(tmpdir(), "bridle-full-disk-"));
afterAll(() => rmSync(projectDir, { recursive: true, force: true }));

/** Changes the file in a process with a limit of 16 KiB per file: the first write stores only what fits, and the next write fails. */
function changeWithoutSpace(text: number, reason: number) {
  const program = [process.execPath, "--conditions=@bridle/source", join(import.meta.dirname, "changing-process.ts")];
  const limited = 'trap "" XFSZ; ulimit -f 32; exec "$@"';
  const words = ["-c", limited, "sh", ...program, projectDir, String(text), String(reason)];
  return spawnSync("/bin/sh", words, { encoding: "utf8", env: {} });
}

describe.skipIf(process.platform === "win32")("without space on the disk", () => {
  const folder = join(projectDir, "context/tables/w");
  const before = "# ours\ntables: { customers: { description: Who buys. } }\n";

  test.each([
    [
      "a file that does not fit",
      60_000,
      10,
      /^ConfigError: .*main\.yaml cannot be written: EFBIG.* It is as it was\.$/,
    ],
    ["a change that cannot be listed", 10, 60_000, /^FactsError: .*The changes in .*|^FactsError: No disk space/],
  ])("%s leaves all as it was, and the next change works", async (_, text, reason, message) => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "main.yaml"), before);
    const listed = listChanges({ stateDir: join(projectDir, ".bridle") }).length;
    const { status, stdout, stderr } = changeWithoutSpace(text, reason);
    expect(stderr).toBe("");
    expect(stdout).toMatch(message);
    expect(status).toBe(1);
    expect(readFileSync(join(folder, "main.yaml"), "utf8")).toBe(before);
    expect(readdirSync(folder)).toEqual(["main.yaml"]);

    const change = { kind: "description", subject: "w.main.orders", text: "What was sold." } as const;
    const options = { projectDir, stateDir: join(projectDir, ".bridle") };
    expect(await changeTableFile(change, { source: "person" }, options)).toMatchObject({ isApplied: true });
    expect(listChanges(options)).toHaveLength(listed + 1);
  });
});
