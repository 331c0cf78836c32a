/** Runs the real Codex with Bridle's options among traps, some of them changed and unchecked, and reports what gets through. */
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startTrafficWatch } from "@bridle/host-shared";
import { defaultPromptCaching } from "@bridle/protocol";
import { defineScript, type RecordedRequest, startRehearsal } from "@bridle/rehearsal";
import { startTlsProxy, writeFakeCodexLogin } from "@bridle/rehearsal/tls";
import { z } from "zod";
import { type Setting, toArguments } from "../../src/boundary/closed-set.ts";
import { requirePinnedCodex } from "../../src/boundary/codex-binary.ts";
import { closeCatalog, type ModelCatalog } from "../../src/boundary/model-catalog.ts";
import { threadOptions } from "../../src/boundary/thread-options.ts";
import { codexEnvironment } from "../../src/environment/environment.ts";
import { withoutPrograms } from "../../src/environment/without-programs.ts";
import { createPrivateHome } from "../../src/home/private-home.ts";
import { threadAnswer } from "../../src/messages/messages.ts";
import type { CodexAuthMode } from "../../src/options.ts";
import { AppServer, type ThreadReceiver, type ThreadRequest } from "../../src/process/app-server.ts";
import { bundledCatalog, processSettings } from "../../src/process/start-server.ts";
import { forgedCalls } from "../../src/proof/forged-calls.ts";
import { findSentAdditions } from "../../src/proof/sent-input.ts";
import { codexTrapVariables, plantCodexTraps, trapPrompt, trapWord, variableWords } from "../../src/proof/traps.ts";

/** Everything that closes one process with one conversation. */
export interface ClosedSet {
  readonly settings: readonly Setting[];
  readonly catalog: ModelCatalog;
  readonly environment: Readonly<Record<string, string>>;
  /** The private folders, as variables. */
  readonly folders: Readonly<Record<string, string>>;
  readonly workingFolder: string;
  readonly thread: Readonly<Record<string, unknown>>;
}

/** What an open process would use instead. */
interface OpenPlaces {
  readonly home: string;
  readonly project: string;
  readonly catalog: ModelCatalog;
  readonly variables: Readonly<Record<string, string>>;
}

export type ChangedOption = (closed: ClosedSet, open: OpenPlaces) => ClosedSet;

export interface Conditions {
  readonly model: string;
  readonly auth: CodexAuthMode;
}

const instructions = "You are OURS.";
const longResult = "x".repeat(100_000);

/** What reached the model, ran, was kept or was contacted although nobody passed it; empty if the other options keep it out. */
export async function holesWithout(change: ChangedOption, { model, auth }: Conditions): Promise<string[]> {
  const root = await mkdtemp(join(tmpdir(), "bridle-option-"));
  const home = join(root, "home");
  const traps = await plantCodexTraps({ home, root });
  const steps = [{ calls: [...forgedCalls(traps.effect), { call: "look", with: {} }] }, { say: "Done." }];
  const rehearsal = await startRehearsal({ script: defineScript({ rehearsal: 1, turns: [{ steps }] }) });
  const network = await (auth === "session"
    ? startTlsProxy({ rehearsal, folder: root, hosts: ["chatgpt.com"] })
    : startTrafficWatch());
  const login = await writeFakeCodexLogin(auth === "session" ? join(home, ".codex") : join(root, "unused"));
  const variables = {
    PATH: `${traps.programs}:${process.env.PATH}`,
    HOME: home,
    ...network.environment,
    ...codexTrapVariables,
  };
  const options = {
    auth,
    environment: { ...variables, OPENAI_API_KEY: "sk-of-the-test" },
    baseUrl: `${rehearsal.url}/backend-api/codex`,
    maxRetries: 0,
  };
  const bundled = await bundledCatalog();
  const privateHome = createPrivateHome({ TMPDIR: root }, auth === "session" ? login : undefined, { catalog: "" });
  const spec = {
    ...{ model, system: { static: instructions, dynamic: "" }, builtins: [], stepBudget: 3, history: [] },
    ...{ promptCaching: defaultPromptCaching, projectDir: traps.project },
    tools: [{ name: "look", description: "Looks.", inputSchema: { type: "object", properties: {} }, annotations: {} }],
  } as const;
  const closed: ClosedSet = {
    settings: processSettings(options, [], privateHome.catalogFile),
    catalog: closeCatalog(bundled),
    environment: withoutPrograms(codexEnvironment(options), [], privateHome),
    folders: privateHome.variables,
    workingFolder: privateHome.workingFolder,
    thread: threadOptions(spec, privateHome.workingFolder, undefined),
  };
  const used = change(closed, { home, project: traps.project, catalog: bundled, variables });
  await writeFile(privateHome.catalogFile, JSON.stringify(used.catalog));
  const server = new AppServer({
    command: requirePinnedCodex().binary,
    args: toArguments(used.settings),
    environment: { ...used.environment },
    home: { ...privateHome, workingFolder: used.workingFolder, variables: used.folders },
    timeLimitMs: 20_000,
  });
  try {
    await server.initialize();
    const end = await converse(server, used);
    const kept = await readdir(join(used.folders.CODEX_HOME ?? "", "sessions")).catch(() => []);
    await server.close(400);
    return [
      ...new Set([
        ...(end === "completed" ? [] : [`the turn ended: ${end}`]),
        ...findSentHoles(rehearsal.requests, auth),
        ...(await traps.marks()).map((mark) => `${mark} ran`),
        ...(kept.length > 0 ? ["the conversation was written to disk"] : []),
        ...network.hosts
          .filter((host) => host !== "chatgpt.com" || auth !== "session")
          .map((host) => `${host} was contacted`),
      ]),
    ];
  } catch (error) {
    return [`Codex failed: ${error instanceof Error ? error.message : String(error)}`];
  } finally {
    await server.close(0);
    await network.close();
    await rehearsal.close();
    await rm(root, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** One turn. Resolves with its status. */
async function converse(server: AppServer, { thread: options }: ClosedSet): Promise<string> {
  const { thread } = await server.request("thread/start", options, threadAnswer);
  const receiver = new OnlyOwnTool();
  server.attach(thread.id, receiver);
  const input = [{ type: "text", text: trapPrompt, text_elements: [] }];
  await server.request("turn/start", { threadId: thread.id, input }, z.unknown());
  return receiver.end;
}

/** Answers the calls of our own tool, and lets every command run that Codex asks about. */
class OnlyOwnTool implements ThreadReceiver {
  readonly #end = Promise.withResolvers<string>();

  get end(): Promise<string> {
    return this.#end.promise;
  }

  receive({ method, params }: Parameters<ThreadReceiver["receive"]>[0]): void {
    if (method !== "turn/completed") return;
    this.#end.resolve(params.turn.error ? params.turn.error.message : params.turn.status);
  }

  receiveRaw(): void {}

  receiveLimits(): void {}

  async answer({ method }: ThreadRequest): Promise<unknown> {
    if (method !== "item/tool/call") return { decision: "accept" };
    return { contentItems: [{ type: "inputText", text: longResult }], success: true };
  }

  fail(error: unknown): void {
    this.#end.resolve(error instanceof Error ? error.message : String(error));
  }
}

const output = z.looseObject({
  type: z.enum(["function_call_output", "custom_tool_call_output"]),
  call_id: z.string(),
  output: z.unknown(),
});
const call = z.looseObject({
  type: z.enum(["function_call", "custom_tool_call"]),
  call_id: z.string(),
  name: z.string(),
});
const conversation = z.looseObject({ input: z.array(z.unknown()) });

function findSentHoles(requests: readonly RecordedRequest[], auth: CodexAuthMode): string[] {
  const sent = requests.filter(({ method, path }) => method === "POST" && path.endsWith("/responses"));
  const others = requests.filter(
    (request) => !sent.includes(request) && !request.path.startsWith("/backend-api/wham/"),
  );
  const text = JSON.stringify(sent.map(({ body }) => body));
  const payer = auth === "session" ? /^Bearer eyJ/ : /^Bearer sk-of-the-test$/;
  return [
    ...(sent.length === 2 ? [] : [`${sent.length} requests were sent, not 2`]),
    ...others.map(({ path }) => `${path} was requested`),
    ...sent.flatMap(({ body }) =>
      findSentAdditions(body, { instructions, prompt: trapPrompt, tools: ["look"] }).map((hole) =>
        hole.startsWith("a text was added") ? "a text was added" : hole,
      ),
    ),
    ...(text.includes(trapWord) ? ["a text of a trap was sent"] : []),
    ...variableWords.filter((word) => JSON.stringify(requests).includes(word)).map((word) => `${word} was sent`),
    ...(sent.every(({ headers }) => payer.test(String(headers.authorization))) ? [] : ["another account pays"]),
    ...findAnswers(sent.at(-1)?.body),
  ];
}

/** Calls of Codex's own tools that were not refused, and a result of ours that was changed. */
function findAnswers(body: unknown): string[] {
  const { input } = conversation.catch({ input: [] }).parse(body);
  const names = new Map(input.flatMap((item) => parsedOr(call, item).map(({ call_id, name }) => [call_id, name])));
  return input
    .flatMap((item) => parsedOr(output, item))
    .flatMap(({ call_id, output: answer }) => {
      const [name, words] = [names.get(call_id) ?? "", typeof answer === "string" ? answer : JSON.stringify(answer)];
      if (name === "look") return words === longResult ? [] : ["a result was changed"];
      return /^unsupported (custom tool )?call/.test(words) ? [] : [`${name} was answered`];
    });
}

function parsedOr<T>(schema: z.ZodType<T>, item: unknown): T[] {
  const parsed = schema.safeParse(item);
  return parsed.success ? [parsed.data] : [];
}
