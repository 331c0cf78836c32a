import { BoundaryError } from "@bridle/protocol";
import { expect, test } from "vitest";
import { installedVersions, isAtLeast, minimumHostVersion, pinnedSdkVersion, requirePinnedSdk } from "./versions.ts";

test("the installed SDK is the pinned one, and its Claude Code is new enough", () => {
  const { sdk, claudeCode } = installedVersions();
  expect(sdk).toBe(pinnedSdkVersion);
  expect(isAtLeast(claudeCode, minimumHostVersion)).toBe(true);
  requirePinnedSdk();
});

test("any other SDK version is a BoundaryError with both versions", () => {
  for (const sdk of ["0.3.329", "0.3.331", "1.0.0"]) {
    expect(() => requirePinnedSdk({ sdk, claudeCode: "2.1.330" })).toThrow(BoundaryError);
    expect(() => requirePinnedSdk({ sdk, claudeCode: "2.1.330" })).toThrow(`${sdk}, not ${pinnedSdkVersion}`);
  }
});

test.each([
  ["2.1.248", "2.1.248", true],
  ["2.1.330", "2.1.248", true],
  ["2.10.0", "2.9.9", true],
  ["3.0.0", "2.1.248", true],
  ["2.1.247", "2.1.248", false],
  ["2.0.999", "2.1.0", false],
  ["2.1", "2.1.0", true],
  ["2", "2.1.0", false],
  ["2.1.248-beta.1", "2.1.248", true],
  ["unknown", "2.1.248", false],
])("%s is at least %s: %s", (version, minimum, expected) => {
  expect(isAtLeast(version, minimum)).toBe(expected);
});
