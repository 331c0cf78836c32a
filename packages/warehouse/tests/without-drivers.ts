/** Connects as if some packages were not installed. A test starts this with a connection as JSON and the names of the packages. */
import { registerHooks } from "node:module";
import { connectors } from "../src/definitions.ts";

const [config = "{}", ...missing] = process.argv.slice(2);

registerHooks({
  resolve(specifier, context, next) {
    if (!missing.includes(specifier)) return next(specifier, context);
    const error = new Error(`Cannot find package '${specifier}' imported from ${context.parentURL}`);
    throw Object.assign(error, { code: "ERR_MODULE_NOT_FOUND" });
  },
});

const settings: { type: string } = JSON.parse(config);
const connector = connectors.find(({ type }) => type === settings.type);
if (connector === undefined) throw new Error(`No engine is called ${settings.type}.`);
const parsed = connector.schema.parse(settings);
const connecting = Promise.resolve().then(() =>
  Reflect.apply(connector.connect, connector, [parsed, { projectDir: "/" }]),
);
console.log(
  await connecting.then(
    () => "connected",
    (error: Error) => `${error.name}: ${error.message}`,
  ),
);
