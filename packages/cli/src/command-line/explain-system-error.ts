import { tmpdir } from "node:os";

/** The sentence about a machine on which nothing can be done yet, for the errors of Node.js that say so. */
export function explainSystemError(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("syscall" in error)) return undefined;
  if (error.syscall === "uv_cwd") {
    return "The working directory is not there any more. Change to a folder that exists, and run again.";
  }
  if (error.syscall === "mkdtemp") {
    const code = "code" in error ? ` (${error.code})` : "";
    return `No temporary folder can be made in ${tmpdir()}${code}. Set TMPDIR to a folder that can be written to.`;
  }
  return undefined;
}
