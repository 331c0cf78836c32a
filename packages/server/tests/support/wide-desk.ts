import { scanAll, shopConnection, writeDataContext } from "../../../app/tests/support/data-context.ts";
import { createFolder, deskFiles, openTestContext } from "../../../app/tests/support/open-test-workspace.ts";
import { type FilledIds, fillServer } from "./fill-server.ts";
import { serveFolder } from "./serve-desk.ts";

const documents = "  - { type: documents, name: handbook, description: The handbook., source: docs }\n";

/** The desk with documents, a database, test cases and all protocols: everything that the routes of a server need. */
const files: Readonly<Record<string, string>> = {
  ...deskFiles,
  "agent.yaml": `${deskFiles["agent.yaml"]?.replace("policy:", `${documents}policy:`)}test_cases:
  - { name: greets, input: Hi., ground_truth: Hello from the desk. }
  - { name: waits, input: slow }
`,
  "docs/returns.md": "# Returns\n\nA walnut desk can be returned within thirty days.\n",
};

const yaml = `${shopConnection}llm:
  provider: { backend: openai }
  models: { default: desk-model }
  limits: { maxConcurrency: 32 }
serve:
  protocols: [ag-ui, ai-sdk, openai, mcp]
`;

export type WideDesk = Awaited<ReturnType<typeof serveWideDesk>>;

/** Runs `bridle serve` for the desk. `more` adds settings to `serve:`. */
export async function serveWideDesk(more = "") {
  const folder = await createFolder({ ...files, "bridle.yaml": `${yaml}${more}` });
  await writeDataContext(folder);
  await scanAll(await openTestContext(folder));
  const server = await serveFolder(folder);
  /** Creates one of each resource. Session names begin with the prefix. */
  const fill = (prefix = ""): Promise<FilledIds> =>
    fillServer(
      async (method, path, json, headers = {}) => {
        const response = await server.send(path, { method, headers, ...(json !== undefined && { json }) });
        return { status: response.status, headers: response.headers, text: await response.text() };
      },
      { asking: "Where is my order?", prefix },
    );
  return { ...server, fill };
}
