import { tmpdir } from "node:os";

/** Explains Node.js errors that are caused by this machine and not by Bridle. */
export function explainSystemError(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("syscall" in error)) return undefined;
  if (error.syscall === "uv_cwd") {
    return "The working directory no longer exists. Change to an existing folder, and run the command again.";
  }
  const code = "code" in error ? ` (${error.code})` : "";
  if (error.syscall === "mkdir" && "path" in error) {
    return `The folder ${error.path} cannot be created${code}. Make the folder above it writable, or set HOME to another folder.`;
  }
  if (error.syscall === "mkdtemp") {
    return `No temporary folder can be created in ${tmpdir()}${code}. Set TMPDIR to a writable folder.`;
  }
  return undefined;
}
