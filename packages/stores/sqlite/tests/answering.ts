/** Waits for the start signal, answers every question as fast as it can, and prints how many answers were accepted. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { openStore } from "../src/open-store.ts";

const [folder = "", decision = ""] = process.argv.slice(2);
const store = openStore({ folder });
const questions = store.approvals.open();
console.log("ready");
while (!existsSync(join(folder, "begin"))) await new Promise((resolve) => setTimeout(resolve, 1));
const results = questions.map(({ id, inputHash }) =>
  store.approvals.answer(id, { decision: decision === "allow" ? "allow" : "deny", inputHash, by: decision }),
);
console.log(results.filter(({ accepted }) => accepted).length);
store.close();
