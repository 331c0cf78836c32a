import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { currentView, FolderView } from "../modules/folder-view.ts";
import { createFolder } from "./changes-for-tests.ts";
import { codeContent } from "./code-content.ts";

test("settings that share a view read a file once, and another view reads it again", () => {
  const folder = createFolder({ "main.mjs": 'import "./lib.mjs"', "lib.mjs": "1" });
  const view = new FolderView();
  const before = codeContent("main.mjs", folder, view);
  writeFileSync(join(folder, "lib.mjs"), "2");
  expect(codeContent({ file: "main.mjs" }, folder, view)).toEqual(before);
  expect(codeContent("main.mjs", folder)).not.toEqual(before);
});

test("reads in one turn of the event loop share a view, and later ones see changes", async () => {
  const view = currentView();
  expect(currentView()).toBe(view);
  await Promise.resolve();
  expect(currentView()).not.toBe(view);
});
