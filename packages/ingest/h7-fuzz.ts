import { nastyTexts } from "/work/wt/h7/packages/ingest/src/staging/nasty-texts-for-tests.ts";
import { findInstructions, isInstruction } from "/work/wt/h7/packages/ingest/src/staging/instructions/find-instructions.ts";
import { redactSensitive } from "/work/wt/h7/packages/warehouse/src/index.ts";
import { createSecretRemoval } from "/work/wt/h7/packages/ingest/src/staging/remove-secrets.ts";
import { createRedactor as Redactor } from "/work/wt/h7/packages/core/src/index.ts";
let redactor: any; try { redactor = (Redactor as any)({}); } catch { redactor = { text: (t: string) => t }; }
const remove = createSecretRemoval(redactor);
for (const [name, make] of nastyTexts(Number(process.argv[2] ?? 2_000_000))) {
  const text = make();
  for (const [what, f] of [["find", () => findInstructions(text)], ["redact", () => remove(text)]] as const) {
    const start = performance.now();
    let result = "ok";
    try { f(); } catch (e: any) { result = `${e.name}: ${e.message}`.slice(0, 60); }
    const ms = Math.round(performance.now() - start);
    if (result !== "ok" || ms > 3000) console.log(name, what, ms, result);
  }
}
