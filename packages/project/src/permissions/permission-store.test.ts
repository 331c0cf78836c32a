import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { RememberedAnswer } from "@bridle/protocol";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type PermissionFile, permissionFiles } from "./permission-files.ts";
import { createPermissionStore, listPermissions, removePermission } from "./permission-store.ts";

let folder: string;
let files: PermissionFile[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "bridle-permissions-"));
  files = permissionFiles({ projectDir: join(folder, "shop"), environment: { HOME: join(folder, "ada") } }, "linux");
});
afterEach(() => rm(folder, { recursive: true }));

function answer(parts: Partial<RememberedAnswer> = {}): RememberedAnswer {
  const about = { by: "ada", at: "2026-01-31T12:00:00.000Z" };
  const identity = { source: "mcp shop", definitionHash: "1", definition: "{}" };
  return { tool: "run_sql", identity, decision: "allow", scope: "project", ...about, ...parts };
}

test("a project has the same file by each of its paths, and two projects of the same name have different files", async () => {
  const at = (projectDir: string) => permissionFiles({ projectDir, environment: { HOME: "/u" } }, "linux")[0]?.path;
  for (const name of ["one/shop", "two/shop"]) await mkdir(join(folder, name), { recursive: true });
  await symlink(join(folder, "one/shop"), join(folder, "link"));
  expect(at(join(folder, "link"))).toBe(at(join(folder, "one/shop")));
  expect(at(join(folder, "two/shop"))).not.toBe(at(join(folder, "one/shop")));
});

describe("remembered answers", () => {
  test("are stored by scope, in readable files", async () => {
    const store = createPermissionStore(files);
    expect(await store.read()).toEqual([]);
    const [first, second] = [answer({ when: { statement: "^select" } }), answer({ scope: "always", decision: "deny" })];
    await store.add(first);
    await store.add(second);
    expect(await createPermissionStore(files).read()).toEqual([first, second]);
    const [ofProject = "", ofUser = ""] = files.map(({ path }) => path);
    expect(ofProject.startsWith(join(folder, "ada/.config/bridle/projects/shop-"))).toBe(true);
    expect(await readFile(ofProject, "utf8")).toContain("statement: ^select");
    expect(ofUser).toBe(join(folder, "ada/.config/bridle/permissions.yaml"));
    expect(await readFile(ofUser, "utf8")).toContain("decision: deny");
    expect(existsSync(join(folder, "shop"))).toBe(false);
    for (const path of [ofProject, ofUser]) expect((await stat(path)).mode & 0o077).toBe(0);
    expect((await stat(dirname(ofProject))).mode & 0o077).toBe(0);
  });

  test("that many processes add at the same time are all stored", async () => {
    const tools = Array.from({ length: 30 }, (_, index) => `tool_${index}`);
    await Promise.all(tools.map((tool) => createPermissionStore(files).add(answer({ tool }))));
    expect((await createPermissionStore(files).read()).map(({ tool }) => tool).sort()).toEqual(tools.sort());
  });

  test("are removed by their listed names", async () => {
    const store = createPermissionStore(files);
    for (const tool of ["a", "b"]) await store.add(answer({ tool }));
    const [listed] = await listPermissions(files);
    expect(listed).toMatchObject({ id: expect.stringMatching(/^[0-9a-f]{8}$/), tool: "a", file: files[0]?.path });
    expect(await removePermission(files, listed?.id ?? "")).toMatchObject({ tool: "a" });
    expect((await store.read()).map(({ tool }) => tool)).toEqual(["b"]);
    expect(await removePermission(files, listed?.id ?? "")).toBeUndefined();
  });

  test("in an invalid file are an error that names the file, and so is an invalid pattern", async () => {
    const store = createPermissionStore(files);
    await store.add(answer());
    const path = files[0]?.path ?? "";
    await writeFile(path, "- tool: a\n  decision: perhaps\n");
    await expect(store.read()).rejects.toThrow(`${path}: the remembered answers are not valid`);
    await writeFile(path, "- { tool: a, decision: allow, by: ada, at: 2026-01-31T12:00:00Z, when: { x: '(' } }\n");
    await expect(store.read()).rejects.toThrow("not a regular expression");
  });

  test("need a home folder", async () => {
    const homeless = permissionFiles({ projectDir: folder, environment: {} }, "linux");
    for (const scope of ["project", "always"] as const)
      await expect(createPermissionStore(homeless).add(answer({ scope }))).rejects.toThrow("Set HOME");
    const placed = permissionFiles({ projectDir: folder, environment: { HOME: "/u", XDG_CONFIG_HOME: "/c" } }, "linux");
    expect(placed.map(({ path }) => path)).toEqual([
      expect.stringMatching(/^\/c\/bridle\/projects\/[\w-]+-[0-9a-f]{16}\/permissions\.yaml$/),
      "/c/bridle/permissions.yaml",
    ]);
  });
});
