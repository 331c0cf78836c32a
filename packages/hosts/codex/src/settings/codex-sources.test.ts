import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { sha256 } from "@bridle/core";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findCodexSources } from "./codex-sources.ts";

let root = "";
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "bridle-sources-"));
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function write(path: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), path);
}

async function find(auth: "session" | "api_key"): Promise<Record<string, boolean>> {
  const found = await findCodexSources({
    projectDir: join(root, "outer/project"),
    environment: { HOME: join(root, "home") },
    auth,
    managedDir: join(root, "etc"),
  });
  const ours = found.filter(({ path = "" }) => path.startsWith(root));
  return Object.fromEntries(
    ours.map(({ kind, path = "", inForce }) => [`${kind} ${path.slice(root.length)}`, inForce]),
  );
}

test("instructions, settings and hooks of every level are named as kept out, and an administrator's as in force", async () => {
  await write("home/.codex/AGENTS.md");
  await write("home/.codex/config.toml");
  await write("home/.codex/memories/memory_summary.md");
  await write("outer/AGENTS.md");
  await write("outer/project/AGENTS.override.md");
  await write("outer/project/.codex/config.toml");
  await write("outer/project/.codex/hooks.json");
  await write("etc/requirements.toml");
  expect(await find("session")).toEqual({
    "instructions /home/.codex/AGENTS.md": false,
    "instructions /outer/AGENTS.md": false,
    "instructions /outer/project/AGENTS.override.md": false,
    "instructions /home/.codex/memories/memory_summary.md": false,
    "settings /home/.codex/config.toml": false,
    "settings /outer/project/.codex/config.toml": false,
    "settings /outer/project/.codex/hooks.json": false,
    "managed-settings /etc/requirements.toml": true,
  });
});

test("a stored login is in force only if it pays, and its content is not even hashed", async () => {
  await write("home/.codex/auth.json");
  expect(await find("session")).toEqual({ "auth /home/.codex/auth.json": true });
  expect(await find("api_key")).toEqual({ "auth /home/.codex/auth.json": false });
  await write("home/.codex/AGENTS.md");
  const [instructions, login] = await findCodexSources({
    projectDir: root,
    environment: { HOME: join(root, "home") },
    auth: "session",
    managedDir: root,
  });
  expect(instructions?.sha256).toBe(sha256("home/.codex/AGENTS.md"));
  expect(login).not.toHaveProperty("sha256");
});
