/** Runs the SDK among traps with Bridle's options, one of them changed, and reports what gets through. */
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defaultPromptCaching } from "@bridle/protocol";
import { defineScript, startRehearsal } from "@bridle/rehearsal";
import { CopilotClient, type CopilotClientOptions, RuntimeConnection, type SessionConfig } from "@github/copilot-sdk";
import { runtimeFolders } from "../../src/boundary/environment.ts";
import { clientOptions, sessionOptions } from "../../src/boundary/session-options.ts";
import { findRuntime } from "../../src/boundary/versions.ts";
import { canary, plantTraps, type Traps } from "./traps.ts";

export interface ChangedOption {
  client?(options: CopilotClientOptions, traps: Traps): CopilotClientOptions;
  session?(options: SessionConfig, traps: Traps): SessionConfig;
}

const prompt = "Hello @AGENTS.md";
const toolCount = 40;

/** Lists everything that reached the model, or ran, although the caller did not pass it; empty if the other options suffice. */
export async function holesWithout({ client: ofClient, session: ofSession }: ChangedOption): Promise<string[]> {
  const root = await mkdtemp(join(tmpdir(), "bridle-option-"));
  const traps = await plantTraps(root);
  const steps = [{ call: "dump", with: {} }, { say: "done" }];
  const rehearsal = await startRehearsal({ script: defineScript({ rehearsal: 1, turns: [{ steps }] }) });
  const { root: _root, ...own } = runtimeFolders(join(root, "private"));
  const folders = { root: join(root, "private"), ...own };
  for (const folder of Object.values(own)) await mkdir(folder, { recursive: true });
  const options: CopilotClientOptions = clientOptions(traps.environment, folders);
  const connection = RuntimeConnection.forStdio({ path: findRuntime() });
  const client = new CopilotClient({ ...(ofClient?.(options, traps) ?? options), connection });
  try {
    const spec = {
      model: "gpt-6-sol",
      system: { static: "OURS", dynamic: "" },
      tools: [],
      builtins: [],
      stepBudget: 3,
    };
    const more = { history: [], projectDir: traps.projectDir, promptCaching: defaultPromptCaching };
    const provider = { type: "openai", wireApi: "responses", baseUrl: `${rehearsal.url}/v1`, apiKey: "k" } as const;
    const tools = Array.from({ length: toolCount }, (_, index) => ({
      name: index === 0 ? "dump" : `tool_${index}`,
      description: "d",
      parameters: { type: "object", properties: {} },
      handler: () => "x".repeat(100_000),
    }));
    const config: SessionConfig = {
      ...sessionOptions({ ...spec, ...more }, provider, folders),
      tools,
      onPermissionRequest: () => ({ kind: "approve-once" }),
    };
    const session = await client.createSession(ofSession?.(config, traps) ?? config);
    await session.sendAndWait(prompt, 20_000);
    return findHoles(
      rehearsal.requests.map(({ body }) => body as WireBody),
      existsSync(traps.effectFile),
    );
  } finally {
    await client.forceStop();
    await rehearsal.close();
    await rm(root, { recursive: true, force: true });
  }
}

interface WireBody {
  readonly instructions?: string;
  readonly input: readonly { readonly role?: string; readonly output?: string; readonly content?: unknown }[];
  readonly tools?: readonly { readonly name: string }[];
}

function findHoles(bodies: readonly WireBody[], hasRun: boolean): string[] {
  const [first, last] = [bodies[0], bodies.at(-1)];
  const names = (first?.tools ?? []).map(({ name }) => name);
  const others = names.filter((name) => name !== "dump" && !name.startsWith("tool_"));
  const users = (first?.input ?? []).filter(({ role }) => role === "user");
  const result = last?.input.find(({ output }) => output !== undefined)?.output ?? "";
  return [
    ...(hasRun ? ["a trap ran"] : []),
    ...(JSON.stringify(bodies).includes(canary) ? ["a text of a trap was sent"] : []),
    ...(first?.instructions === "OURS" ? [] : ["the instructions are others"]),
    ...(JSON.stringify(users.map(({ content }) => content)).includes(`"text":"${prompt}"`)
      ? []
      : ["the prompt is another"]),
    ...(users.length === 1 ? [] : [`there are ${users.length} messages`]),
    ...(others.length > 0 ? [`other tools are offered`] : []),
    ...(names.length < toolCount ? ["tools of ours are missing"] : []),
    ...(result.length === 100_000 ? [] : ["a result was replaced"]),
  ];
}
