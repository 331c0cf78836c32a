import { expect, test } from "vitest";
import { problemOfFolder } from "./folder-name.ts";

test.each([".", "desk", "projects/my desk", "../desk", "/tmp/δοκιμή", "v1.2"])("%s is a valid folder name", (path) => {
  expect(problemOfFolder(path)).toBeUndefined();
});

test.each([
  ["", "empty"],
  ["   ", "empty"],
  ["a\0b", "is not allowed"],
  ["what?", '"?" is not allowed'],
  ["line\nbreak", '"\\n" is not allowed'],
  ["--yse", "dash"],
  ["a/b.", "dot"],
  ["CON", "device"],
  ["com1.txt", "device"],
  ["ü".repeat(128), "255 bytes"],
])("%j is refused as a folder name with a reason", (path, reason) => {
  expect(problemOfFolder(path)).toContain(reason);
});
