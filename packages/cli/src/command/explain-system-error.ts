import { tmpdir } from "node:os";

/** Explains the errors of Node.js that are about this machine and not about Bridle. */
export function explainSystemError(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("syscall" in error)) return undefined;
  if (error.syscall === "uv_cwd") {
    return "The working directory no longer exists. Change to an existing folder, and run the command again.";
  }
  if (error.syscall === "mkdtemp") {
    const code = "code" in error ? ` (${error.code})` : "";
    return `No temporary folder can be created in ${tmpdir()}${code}. Set TMPDIR to a writable folder.`;
  }
  return undefined;
}
