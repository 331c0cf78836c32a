/** Waits for a line on standard input, answers every question as fast as it can, and prints how many answers were accepted. */
import { once } from "node:events";
import { openPostgresEventLog } from "../src/index.ts";

const [url = "", schema = "", decision = ""] = process.argv.slice(2);
const eventLog = await openPostgresEventLog({ url, schema });
const questions = await eventLog.approvals.open();
console.log("ready");
await once(process.stdin, "data");
process.stdin.destroy();
let count = 0;
for (const { id, inputHash } of questions) {
  const answer = { decision: decision === "allow" ? "allow" : "deny", inputHash, by: decision } as const;
  if ((await eventLog.approvals.answer(id, answer)).accepted) count += 1;
}
console.log(count);
await eventLog.close();
