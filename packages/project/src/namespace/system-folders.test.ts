import { join } from "node:path";
import { expect, test } from "vitest";
import { stateFolder } from "./system-folders.ts";

test("state is stored in XDG_STATE_HOME, unless that is relative", () => {
  expect(stateFolder({ XDG_STATE_HOME: "/state", HOME: "/home/ada" }, "linux")).toBe("/state/bridle");
  expect(stateFolder({ XDG_STATE_HOME: "state", HOME: "/home/ada" }, "linux")).toBe("/home/ada/.local/state/bridle");
});

test("without XDG_STATE_HOME state is stored in the system's usual folder", () => {
  expect(stateFolder({ HOME: "/home/ada" }, "darwin")).toBe("/home/ada/Library/Application Support/bridle");
  expect(stateFolder({ LOCALAPPDATA: "/local" }, "win32")).toBe(join("/local", "bridle"));
  expect(stateFolder({ USERPROFILE: "/ada" }, "win32")).toBe(join("/ada", "AppData", "Local", "bridle"));
});

test("without a home folder no state is stored", () => {
  for (const platform of ["linux", "darwin", "win32"]) expect(stateFolder({}, platform)).toBeUndefined();
});
