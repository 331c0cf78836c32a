import { existsSync, mkdtempSync, readlinkSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createPrivateHome } from "./private-home.ts";

function open(patchBinary?: string) {
  const parent = mkdtempSync(join(tmpdir(), "bridle-private-home-"));
  onTestFinished(() => rmSync(parent, { recursive: true }));
  return createPrivateHome({ TMPDIR: parent }, undefined, { catalog: "", patchBinary });
}

test("a home has the program for patches only if patches are open, because a system may forbid links", async () => {
  const closed = open();
  expect(existsSync(closed.patchProgram)).toBe(false);
  const opened = open(process.execPath);
  expect(readlinkSync(opened.patchProgram)).toBe(process.execPath);
  await Promise.all([closed.remove(), opened.remove()]);
});
