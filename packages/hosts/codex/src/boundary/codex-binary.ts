import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { BoundaryError, ConfigError } from "@bridle/protocol";
import { z } from "zod";

/** The version that this package was written for. Codex's protocol is experimental, and its switches change between releases. */
export const pinnedCodexVersion = "0.169.0";

const packageSchema = z.object({ version: z.string() });
const targets: Readonly<Record<string, string>> = {
  "linux-x64": "x86_64-unknown-linux-musl",
  "linux-arm64": "aarch64-unknown-linux-musl",
  "darwin-x64": "x86_64-apple-darwin",
  "darwin-arm64": "aarch64-apple-darwin",
  "win32-x64": "x86_64-pc-windows-msvc",
  "win32-arm64": "aarch64-pc-windows-msvc",
};

export interface InstalledCodex {
  readonly version: string;
  /** The path of the program itself, and not of the package's script that starts it. */
  readonly binary: string;
}

/** Returns the installed Codex. Throws ConfigError if it is missing. */
export function installedCodex(platform: string = process.platform, arch: string = process.arch): InstalledCodex {
  const system = `${platform}-${arch}`;
  try {
    const manifest = createRequire(import.meta.url).resolve("@openai/codex/package.json");
    const { version } = packageSchema.parse(JSON.parse(readFileSync(manifest, "utf8")));
    const program = createRequire(manifest).resolve(`@openai/codex-${system}/package.json`);
    const binary = platform === "win32" ? "codex.exe" : "codex";
    return { version, binary: join(dirname(program), "vendor", targets[system] ?? system, "bin", binary) };
  } catch (cause) {
    throw new ConfigError(
      `Codex is not installed for ${system}. Run npm install @openai/codex@${pinnedCodexVersion} in this project, or choose another backend.`,
      { field: "llm.provider.backend", cause },
    );
  }
}

/** Returns the installed Codex. Throws BoundaryError unless this is the pinned version. */
export function requirePinnedCodex(installed: InstalledCodex = installedCodex()): InstalledCodex {
  if (installed.version === pinnedCodexVersion) return installed;
  const difference = `@openai/codex is ${installed.version}, not ${pinnedCodexVersion}`;
  throw new BoundaryError(`${difference}. The boundary is proven only for that version; install exactly it.`, [
    difference,
  ]);
}
