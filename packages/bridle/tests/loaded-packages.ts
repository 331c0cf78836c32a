/** Imports Bridle, makes one call if the first argument names a project, and prints the loaded npm packages. */
import { registerHooks } from "node:module";
import { join } from "node:path";

const loaded = new Set<string>();
registerHooks({
  load(url, context, next) {
    const name = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1];
    if (name !== undefined && !name.startsWith("@bridle/") && name !== "bridle") loaded.add(name);
    return next(url, context);
  },
});

const { createRuntime } = await import("bridle");
const [, , projectDir] = process.argv;
if (projectDir !== undefined) {
  const runtime = await createRuntime({ projectDir, rehearse: join(projectDir, "script.yaml") });
  await runtime.generateText({ prompt: "hello" });
  await runtime.close();
}
console.log(JSON.stringify([...loaded].sort()));
