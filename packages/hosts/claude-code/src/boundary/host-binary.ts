import { createRequire } from "node:module";

/** Returns the binary that the SDK brings for this system; undefined if its package is not installed. */
export function findHostBinary(platform: string = process.platform, arch: string = process.arch): string | undefined {
  const require = createRequire(import.meta.resolve("@anthropic-ai/claude-agent-sdk"));
  const binary = platform === "win32" ? "claude.exe" : "claude";
  for (const variant of ["", "-musl"]) {
    try {
      return require.resolve(`@anthropic-ai/claude-agent-sdk-${platform}-${arch}${variant}/${binary}`);
    } catch {
      // Only another variant is installed, or none.
    }
  }
  return undefined;
}
