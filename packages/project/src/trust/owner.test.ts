import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { openProject } from "../project.ts";
import { createFolderTrust } from "./folder-trust.ts";
import { findOwnerFault, ownIds } from "./owner.ts";

const top = mkdtempSync(join(tmpdir(), "bridle-owner-"));
afterAll(() => rmSync(top, { recursive: true }));

let folder = "";
let file = "";
beforeEach(() => {
  folder = mkdtempSync(join(top, "project-"));
  file = join(folder, "bridle.yaml");
  writeFileSync(file, "", { mode: 0o600 });
});

const own = ownIds() ?? { user: 0, group: 0 };
/** The ids of a process of another user. */
const another = { user: own.user + 4711, group: own.group + 4711 };

describe.skipIf(ownIds() === undefined)("whose file it is", () => {
  test.each([
    ["own and private", 0o600, 0o700, own, undefined],
    ["own and readable by all", 0o644, 0o755, own, undefined],
    ["own, and writable by the user's own group", 0o664, 0o775, own, undefined],
    ["writable by everyone", 0o602, 0o700, own, "can be written by every user"],
    ["writable by a group that is not the user's own", 0o660, 0o700, { ...own, group: 99 }, "group"],
    ["in a folder that everyone can write", 0o600, 0o777, own, "in a folder that can be written by every user"],
    ["in a folder of temporary files", 0o600, 0o1777, own, undefined],
  ])("a file that is %s", (_what, mode, folderMode, ids, fault) => {
    chmodSync(file, mode);
    chmodSync(folder, folderMode);
    const isGroupOfRoot = own.group === 0 && fault === "group"; // the administrator's group may write to everything
    const found = findOwnerFault(file, ids);
    if (fault === undefined || isGroupOfRoot) expect(found).toBeUndefined();
    else expect(found).toContain(fault);
  });

  test.skipIf(own.user === 0)("a file of another user is refused", () => {
    expect(findOwnerFault(file, another)).toBe(`belongs to another user (${own.user})`);
  });

  test("a file that does not exist has no fault", () => {
    expect(findOwnerFault(join(folder, "nothing"))).toBeUndefined();
  });
});

describe.skipIf(own.user !== 0 || ownIds() === undefined)("a project with files of another user", () => {
  const trust = createFolderTrust({ environment: { HOME: top } });
  const open = () => openProject({ projectDir: folder, environment: {}, trust });

  test.each(["bridle.yaml", ".bridle", "."])("is refused if %s is another user's", async (name) => {
    mkdirSync(join(folder, ".bridle"));
    await expect(open()).resolves.toBeDefined();
    chownSync(join(folder, name), another.user, another.group);
    await expect(open()).rejects.toThrow(`belongs to another user (${another.user})`);
  });

  test("is refused if its file is a link to a file of another user", async () => {
    const elsewhere = join(folder, "elsewhere.yaml");
    writeFileSync(elsewhere, "");
    rmSync(file);
    symlinkSync(elsewhere, file);
    await expect(open()).resolves.toBeDefined();
    chownSync(elsewhere, another.user, another.group);
    await expect(open()).rejects.toThrow("belongs to another user");
  });

  test("is used by a program whose author chose the folder", async () => {
    chownSync(file, another.user, another.group);
    await expect(openProject({ projectDir: folder, environment: {} })).resolves.toBeDefined();
  });
});
