import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import type { HostEnvironment } from "@bridle/protocol";

/** The folder of this user for what can be made again: `$XDG_CACHE_HOME/bridle`, else the usual folder of the system. */
export function cacheFolder(
  { HOME = homedir(), XDG_CACHE_HOME: xdg, LOCALAPPDATA: windows }: HostEnvironment = process.env,
  platform: string = process.platform,
): string {
  if (xdg && isAbsolute(xdg)) return join(xdg, "bridle");
  if (platform === "win32" && windows) return join(windows, "bridle", "cache");
  return platform === "darwin" ? join(HOME, "Library", "Caches", "bridle") : join(HOME, ".cache", "bridle");
}
