import { isAbsolute, join } from "node:path";
import type { HostEnvironment } from "@bridle/protocol";

/**
 * Returns this user's folder for files that can be created again: `$XDG_CACHE_HOME/bridle`, or else the system's usual cache folder.
 * Undefined if the environment has no home.
 */
export function cacheFolder(
  { HOME, XDG_CACHE_HOME: xdg, LOCALAPPDATA: windows }: HostEnvironment = process.env,
  platform: string = process.platform,
): string | undefined {
  if (xdg && isAbsolute(xdg)) return join(xdg, "bridle");
  if (platform === "win32") return windows ? join(windows, "bridle", "cache") : undefined;
  if (!HOME || !isAbsolute(HOME)) return undefined; // the cache is never a folder of the project
  return platform === "darwin" ? join(HOME, "Library", "Caches", "bridle") : join(HOME, ".cache", "bridle");
}
