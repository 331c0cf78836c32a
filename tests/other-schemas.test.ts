/** Runs applications that have their own copy of Zod or use another schema library, in a project outside of this repository. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { readPackages } from "../scripts/packages.ts";
import { Consumer, strictOptions } from "./support/consumer.ts";
import { isSoak } from "./support/soak.ts";

const script = `rehearsal: 1
turns:
  - when: { user: object }
    steps: [{ object: { answer: 42 } }]
  - steps: [{ call: lookup_order, with: { order: { id: A-1001 } } }, { say: "{{ lookup_order.result }}" }]
`;

/**
 * Writes an application whose schemas are created in two lines. The application prints the schema that the model received, and the results.
 */
const application = (
  imports: string,
  input: string,
  output: string,
) => `import { createMemoryEventLog, createRuntime, defineTool } from "bridle";
${imports}

const lookupOrder = defineTool({
  name: "lookup_order",
  description: "Find one order by its number.",
  input: ${input},
  execute: async ({ order }) => {
    const id: string = order.id;
    // @ts-expect-error the order has no such field, so the input has a type
    const missing = order.missing;
    return \`\${id} \${missing}\`;
  },
});
const eventLog = createMemoryEventLog();
const runtime = await createRuntime({ rehearse: "../rehearsal.yaml", eventLog });
const run = runtime.runAgentLoop({ prompt: "Find A-1001.", tools: [lookupOrder], stepBudget: 5 });
for await (const event of run) {
  if (event.type !== "model.input" || !event.artifact) continue;
  const { tools } = JSON.parse((await eventLog.artifact(event.artifact)) ?? "");
  console.log(JSON.stringify(tools[0].inputSchema.properties.order));
}
const { text, error } = await run.result;
console.log(text, error ?? "");
const { object } = await runtime.generateObject({ prompt: "object", schema: ${output} });
const answer: number = object.answer;
// @ts-expect-error the object has a type
const other = object.other;
console.log(answer, other);
await runtime.close();
`;
const withZod = (path: string) =>
  application(
    `import { z } from "${path}";`,
    'z.object({ order: z.object({ id: z.string().describe("The number of the order") }).describe("The order") })',
    "z.object({ answer: z.number() })",
  );

const describedOrder = expect.objectContaining({
  description: "The order",
  properties: { id: { type: "string", description: "The number of the order" } },
});

const compilers = { "5.9": "typescript-5", "6": "typescript-6", "7": "typescript-7" };

/** The compilers that are tested: the lowest and the newest, and in `npm run soak`, also those in between. */
const versions = isSoak ? Object.keys(compilers) : ["5.9", "7"];

const valibot = application(
  'import * as v from "valibot";\nimport { toStandardJsonSchema } from "@valibot/to-json-schema";',
  'toStandardJsonSchema(v.object({ order: v.pipe(v.object({ id: v.pipe(v.string(), v.description("The number of the order")) }), v.description("The order")) }))',
  "toStandardJsonSchema(v.object({ answer: v.number() }))",
);
const arktype = application(
  'import { type } from "arktype";',
  'type({ order: type({ id: type("string").describe("The number of the order") }).describe("The order") })',
  'type({ answer: "number" })',
);

/**
 * The packages to install and the code of each application, which gets a separate folder. `npm test` covers the lowest and the newest Zod
 * 4, and `npm run soak` also one between them.
 */
const applications = {
  "zod@4.0.17": [["zod@4.0.17"], withZod("zod")],
  ...(isSoak && { "zod@4.3.6": [["zod@4.3.6"], withZod("zod")] }),
  "zod@latest": [["zod@latest"], withZod("zod")],
  "zod@3.25.76": [["zod@3.25.76"], withZod("zod/v4")],
  Valibot: [["valibot@1.5.0", "@valibot/to-json-schema@1.8.0"], valibot],
  ArkType: [["arktype@2.2.9"], arktype],
} as const satisfies Readonly<Record<string, readonly [packages: readonly string[], code: string]>>;

/** An application with Zod 3 schemas, which TypeScript accepts from Zod 3.24 on, because they implement Standard Schema. */
const zod3 = `import { createRuntime, defineTool, describeInput } from "bridle";
import { z } from "zod";
const runtime = await createRuntime({ rehearse: "../rehearsal.yaml" });
const execute = async ({ order }: any) => order.id;
const tool = { name: "lookup_order", description: "Find one order by its number.", execute };
const use = (input: any) => {
  const { result } = runtime.runAgentLoop({ prompt: "Find A-1001.", tools: [defineTool({ ...tool, input })], stepBudget: 5 });
  return result;
};
try {
  await use(z.object({ order: z.object({ id: z.string() }) }));
} catch (error) {
  console.log(String(error));
}
await runtime.generateObject({ prompt: "object", schema: z.object({ answer: z.number() }) as any }).catch((error) => console.log(String(error)));
const { text } = await use(describeInput({ type: "object", properties: { order: { type: "object" } } }));
console.log(text);
await runtime.close();
`;

let consumer: Consumer;
beforeAll(() => {
  consumer = new Consumer([
    "typescript-5@npm:typescript@5.9",
    "typescript-6@npm:typescript@6",
    "typescript-7@npm:typescript@7",
    "vitest@4.1.12",
  ]);
  consumer.write("rehearsal.yaml", script);
  for (const [folder, [packages, code]] of Object.entries(applications)) {
    consumer.install(folder, packages);
    consumer.write(`${folder}/app.ts`, code);
  }
});
afterAll(() => consumer?.close());

test.each(Object.keys(applications))(
  "an application with %s of its own describes the fields of its tools to the model, and gets typed objects",
  (folder) => {
    const [described = "", text, object] = consumer.run("node", ["app.ts"], folder).trim().split("\n");
    expect(JSON.parse(described)).toEqual(describedOrder);
    expect([text?.trim(), object]).toEqual(["A-1001 undefined", "42 undefined"]);
  },
);

/** Checks all applications in one program, because most of the compiler's time is spent on the declarations that they share. */
test.each(versions)(
  "applications with their own Zod, Valibot or ArkType have the types of their tools and objects on TypeScript %s",
  (version) => {
    const files = Object.keys(applications).map((folder) => `../${folder}/app.ts`);
    expect(typeCheck("applications", version, { files })).toBe("");
  },
);

test.each(versions)("the declarations of every package are free of errors on TypeScript %s", (version) => {
  const entries = readPackages()
    .filter((pkg) => !pkg.private)
    .flatMap(({ name, exports }) => Object.keys(exports).map((entry) => `${name}${entry.slice(1)}`));
  const imports = entries.map((entry, index) => `export * as entry${index} from "${entry}";`);
  consumer.write("entries/package.json", '{ "type": "module" }');
  consumer.write("entries/app.ts", imports.join("\n"));
  expect(entries).toEqual(expect.arrayContaining(["bridle/vitest", "@bridle/conformance", "@bridle/protocol/zod"]));
  expect(typeCheck("entries", version, { files: ["app.ts"], skipLibCheck: false })).toBe("");
});

test.each(["zod@3.22.4", "zod@3.25.76"])(
  "an application with %s gets an error that names Zod 3 and the ways out",
  (zod) => {
    if (!(zod in applications)) consumer.install(zod, [zod]);
    consumer.write(`${zod}/zod3.ts`, zod3);
    const [ofTool, ofObject, text] = consumer.run("node", ["zod3.ts"], zod).trim().split("\n");
    expect(ofTool).toMatch(
      /ToolSchemaError: The tool "lookup_order" has an input that is a schema of Zod 3.*npm install zod@4.*describeInput/,
    );
    expect(ofObject).toMatch(
      /InvalidRequestError: The output schema is a schema of Zod 3.*npm install zod@4.*JSON Schema/,
    );
    expect(text).toBe("A-1001");
  },
);

interface TypeCheck {
  readonly files: readonly string[];
  readonly skipLibCheck?: boolean;
}

/** Makes the compiler print the time that it takes. */
function typeCheck(folder: string, version: string, { files, skipLibCheck = true }: TypeCheck): string {
  consumer.write(
    `${folder}/tsconfig.json`,
    JSON.stringify({ compilerOptions: { ...strictOptions, skipLibCheck }, files }),
  );
  const started = performance.now();
  const output = consumer.run(
    "node",
    [`../node_modules/${Reflect.get(compilers, version)}/bin/tsc`, "-p", "."],
    folder,
  );
  console.log(`${folder} on TypeScript ${version}: ${((performance.now() - started) / 1000).toFixed(1)} s`);
  return output;
}
