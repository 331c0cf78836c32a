import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { BridleClient } from "@bridle/client";
import { scanAll, shopConnection, writeDataContext } from "../../../app/tests/support/data-context.ts";
import { deskFiles } from "../../../app/tests/support/desk-files.ts";
import { openTestContext } from "../../../app/tests/support/open-test-workspace.ts";
import { type ServedPage, servePage } from "./serve-page.ts";

/** Words and texts that are hard to lay out. */
const longWord = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft".repeat(2);
const longInput = `${longWord} أين طلبي رقم 7؟ 👩‍👧 `.repeat(25);

const answer = `## On its way

It has **two** parts, see [the order](https://shop.example/7) and \`status\`:

1. a desk
2. a lamp

> Packed on Tuesday.

| part | price | remark |
| --- | ---: | --- |
| desk | 12.50 | ${longWord} |
| ${longWord} | 3.00 | مصباح |

\`\`\`sh
npx bridle web
\`\`\`
`;

const script = `rehearsal: 1
turns:
  - when: { user: order }
    steps:
      - { think: The number is 7., call: lookup, with: { id: "7" } }
      - say: ${JSON.stringify(answer)}
  - when: { user: parcel }
    steps: [{ call: lookup, with: { id: ${JSON.stringify(longInput)} } }]
  - when: { user: returns }
    steps: [{ call: handbook, with: { query: returns } }, { say: Within thirty days. }]
  - when: { user: broken }
    steps: [{ status: 400 }]
  - steps: [{ say: Hello from the desk. }]
`;

const documents = "  - { type: documents, name: handbook, description: The handbook., source: docs }\n";

const files: Readonly<Record<string, string>> = {
  ...deskFiles,
  "bridle.yaml": `${deskFiles["bridle.yaml"]}${shopConnection}`,
  "script.yaml": script,
  "agent.yaml": `${deskFiles["agent.yaml"]?.replace("policy:", `${documents}policy:`)}test_cases:
  - { name: greets, input: Hi., ground_truth: Hello from the desk., evaluations: [{ type: standard, metric: f1, threshold: 0.6 }] }
  - { name: finds, input: returns, expected_tools: [handbook] }
  - { name: guesses, input: Hi., ground_truth: A walnut desk., evaluations: [{ type: standard, metric: f1, threshold: 0.6 }] }
`,
};

const filesInFolders: Readonly<Record<string, string>> = {
  "docs/returns.md": `# Returns\n\nA walnut desk can be returned within thirty days. ${longWord}\n`,
  "agents/wrong.yaml": "name: wrong\ninstructions: { inline: Be kind. }\ndescripton: It has a wrong line.\n",
};

export interface FilledPage extends ServedPage {
  readonly client: BridleClient;
  /** A run of the session `talked` that has ended. */
  readonly run: string;
  /** Two test runs, the older one first. */
  readonly testRuns: readonly [string, string];
}

/**
 * Serves the page of a project with content for every view: sessions `talked`, `broken` and `asked` (with a question in the last one), a
 * database with a metric, a page and a contested fact, and an agent `wrong` with an invalid file.
 */
export async function serveFilledPage(): Promise<FilledPage> {
  const served = await servePage(files, async ({ project }) => {
    for (const [name, text] of Object.entries(filesInFolders)) {
      await mkdir(dirname(join(project, name)), { recursive: true });
      await writeFile(join(project, name), text);
    }
    await writeDataContext(project);
    await scanAll(await openTestContext(project));
  });
  try {
    return { ...served, ...(await fill(served)) };
  } catch (error) {
    await served.close(); // the test cannot close it, because it has no page yet
    throw error;
  }
}

async function fill({ url, link }: ServedPage): Promise<Pick<FilledPage, "client" | "run" | "testRuns">> {
  const token = new URLSearchParams(new URL(link).hash.slice(1)).get("token") ?? "";
  const client = new BridleClient({ url, token });
  await client.indexDocuments({ agent: "agent" });
  const run = await talk(client);
  return { client, run, testRuns: [await runTests(client), await runTests(client)] };
}

async function talk(client: BridleClient): Promise<string> {
  const begin = (session: string, prompt: string) => client.start(session, { prompt, agent: "agent" }, { wait: true });
  await begin("talked", "And returns?");
  const { runId } = await begin("talked", "Where is my order?");
  const { id, inputHash } = await questionIn(client, "talked");
  await client.answer(id, { inputHash, decision: "allow", scope: "session" });
  await begin("broken", "broken");
  await begin("asked", `Where is my parcel? ${longWord}`);
  await questionIn(client, "asked");
  return runId;
}

async function questionIn(client: BridleClient, session: string) {
  for await (const event of client.follow(session)) if (event.type === "approval.requested") break;
  const { approvals } = await client.approvals({ state: "open", session });
  const [question] = approvals;
  if (question === undefined) throw new Error(`There is no open question in ${session}.`);
  return question;
}

async function runTests(client: BridleClient): Promise<string> {
  const { id } = await client.startTests({ agent: "agent", trials: 2 });
  for (;;) {
    const { state } = await client.testRun(id);
    if (state !== "running") return id;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
