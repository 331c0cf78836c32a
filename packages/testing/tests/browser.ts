/** Finds a real browser for tests on this machine. Downloads nothing. */
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** The browser that CHROMIUM_PATH names, or else the first one on PATH, or else `undefined`. */
export const browserPath = process.env.CHROMIUM_PATH ?? found();

function found(): string | undefined {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find(canRun);
}

function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false; // the file is missing, or not a program
  }
}
