import { expect, test } from "vitest";
import { withoutPrograms } from "./without-programs.ts";

const closed = { PATH: "/none" };
const hidden = { GIT_DIR: "/none" };

test.each<[platform: string, opened: string[], change: object]>([
  ["linux", [], closed],
  ["linux", ["apply_patch"], { ...closed, ...hidden }],
  ["darwin", [], {}],
  ["darwin", ["apply_patch"], { ...closed, ...hidden }],
  ["win32", [], {}],
  ["win32", ["apply_patch"], hidden],
])("on %s with %j open, only these variables of the process are changed: %j", (platform, opened, change) => {
  const variables = { PATH: "/usr/bin", GIT_DIR: "/repository", LANG: "C" };
  expect(withoutPrograms(variables, opened, { noPrograms: "/none" }, platform)).toEqual({ ...variables, ...change });
});
