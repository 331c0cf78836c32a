/**
 * Makes one change in the folder that the first argument names. The other arguments are the lengths of the description and of the reason.
 */
import { changeTableFile } from "../src/files/change-files.ts";

const [projectDir = "", text, reason] = process.argv.slice(2);
const change = {
  kind: "description",
  subject: "w.main.orders",
  text: "New ".padEnd(Number(text), "t"),
} as const;
const author = { source: "model", name: "test", reason: "r".repeat(Number(reason)) } as const;
await changeTableFile(change, author, { projectDir, stateDir: `${projectDir}/.bridle` }).catch((error: unknown) => {
  process.stdout.write(error instanceof Error ? `${error.name}: ${error.message}` : "");
  process.exitCode = 1;
});
