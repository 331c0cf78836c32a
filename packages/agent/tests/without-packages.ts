/** Started by a test with an agent file and names of packages: opens the agent as if these packages were not installed. */
import { registerHooks } from "node:module";
import { dirname } from "node:path";

const [file = "", ...missing] = process.argv.slice(2);

registerHooks({
  resolve(specifier, context, next) {
    if (!missing.includes(specifier)) return next(specifier, context);
    const error = new Error(`Cannot find package '${specifier}' imported from ${context.parentURL}`);
    throw Object.assign(error, { code: "ERR_MODULE_NOT_FOUND" });
  },
});

const { loadAgent, openAgent } = await import("../src/index.ts");
const projectDir = dirname(file);
const opening = loadAgent(file, { environment: {} }).then((definition) => openAgent(definition, { projectDir }));
console.log(
  await opening.then(
    async (agent) => {
      await agent.close();
      return "opened";
    },
    (error: Error) => error.message,
  ),
);
