/** Runs the real Codex with Bridle's options among traps, some of them changed and unchecked, and reports what gets through. */
import { mkdtemp, readdir, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startTrafficWatch } from "@bridle/host-shared";
import { type ConversationSpec, defaultPromptCaching, textMessage } from "@bridle/protocol";
import { defineScript, startRehearsal } from "@bridle/rehearsal";
import { startTlsProxy, writeFakeCodexLogin } from "@bridle/rehearsal/tls";
import { z } from "zod";
import { type Setting, toArguments } from "../../src/boundary/closed-set.ts";
import { requirePinnedCodex } from "../../src/boundary/codex-binary.ts";
import { closeCatalog, type ModelCatalog } from "../../src/boundary/model-catalog.ts";
import { patchFolderOf } from "../../src/boundary/patch-folder.ts";
import { threadOptions } from "../../src/boundary/thread-options.ts";
import { codexEnvironment } from "../../src/environment/environment.ts";
import { withoutPrograms } from "../../src/environment/without-programs.ts";
import { type SentMessage, toSentMessage } from "../../src/history/response-items.ts";
import { createPrivateHome, type PrivateHome } from "../../src/home/private-home.ts";
import { threadAnswer } from "../../src/messages/messages.ts";
import type { CodexAuthMode, ResolvedCodexOptions } from "../../src/options.ts";
import { AppServer } from "../../src/process/app-server.ts";
import { bundledCatalog, processSettings } from "../../src/process/start-server.ts";
import { forgedCalls } from "../../src/proof/forged-calls.ts";
import { codexTrapVariables, plantCodexTraps, trapPrompt } from "../../src/proof/traps.ts";
import { findSentHoles } from "./sent-holes.ts";
import { TrapPatches } from "./trap-patches.ts";
import { TrapReceiver } from "./trap-receiver.ts";

/** All settings that close one process with one conversation. */
export interface ClosedSet {
  readonly settings: readonly Setting[];
  readonly catalog: ModelCatalog;
  readonly environment: Readonly<Record<string, string>>;
  /** The private folders, as variables. */
  readonly folders: Readonly<Record<string, string>>;
  readonly workingFolder: string;
  readonly thread: Readonly<Record<string, unknown>>;
  readonly message: SentMessage;
}

/** The places that a process without the private folders would use. */
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
  /** Codex's own tools that are open. */
  readonly builtins: readonly string[];
}

const instructions = "You are OURS.";
const longResult = "x".repeat(100_000);

/**
 * Lists everything that reached the model, ran, was kept or was contacted although nobody passed it. Empty if the other options keep it
 * out.
 */
export async function holesWithout(change: ChangedOption, { model, auth, builtins }: Conditions): Promise<string[]> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "bridle-option-")));
  const home = join(root, "home");
  const traps = await plantCodexTraps({ home, root });
  const login = await writeFakeCodexLogin(auth === "session" ? join(home, ".codex") : join(root, "unused"));
  const loginFile = auth === "session" ? login : undefined;
  const privateHome = createPrivateHome({ TMPDIR: root }, loginFile, { catalog: "" });
  const others = [join(root, "another-folder"), privateHome.variables.TMPDIR ?? ""];
  const patches = builtins.length > 0 ? new TrapPatches({ project: traps.project, others }) : undefined;
  await patches?.plant();
  const calls = [...forgedCalls(traps.effect), { call: "look", with: {} }, ...(patches?.calls ?? [])];
  const turns = [{ steps: [{ calls }, { say: "Done." }] }];
  const rehearsal = await startRehearsal({ script: defineScript({ rehearsal: 1, turns }) });
  const network = await (auth === "session"
    ? startTlsProxy({ rehearsal, folder: root, hosts: ["chatgpt.com"] })
    : startTrafficWatch());
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
  const closed = await closedSetOf(specOf({ model, builtins }, traps.project), options, privateHome);
  const catalog = await bundledCatalog();
  const used = change(closed, { home, project: traps.project, catalog, variables });
  await writeFile(privateHome.catalogFile, JSON.stringify(used.catalog));
  const server = new AppServer({
    command: requirePinnedCodex().binary,
    args: toArguments(used.settings),
    environment: { ...used.environment },
    home: { ...privateHome, workingFolder: used.workingFolder, variables: used.folders },
    timeLimitMs: 20_000,
  });
  const receiver = new TrapReceiver({
    result: longResult,
    folder: traps.project,
    allow: async (paths) => {
      for (const path of paths) await patches?.replaceFolderOf(path);
    },
  });
  try {
    await server.initialize();
    const end = await converse(server, used, receiver);
    const kept = await readdir(join(used.folders.CODEX_HOME ?? "", "sessions")).catch(() => []);
    const patched = (await patches?.holes()) ?? [];
    await server.close(400);
    const tools = ["look", ...builtins];
    const expected = { auth, instructions, tools, result: longResult, project: traps.project };
    return [
      ...new Set([
        ...(end === "completed" ? [] : [`the turn ended: ${end}`]),
        ...findSentHoles(rehearsal.requests, expected),
        ...patched,
        ...(receiver.hasUnasked ? ["a patch was applied without a question"] : []),
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

function specOf({ model, builtins }: Pick<Conditions, "model" | "builtins">, projectDir: string): ConversationSpec {
  return {
    model,
    system: { static: instructions, dynamic: "" },
    builtins,
    stepBudget: 3,
    history: [],
    promptCaching: defaultPromptCaching,
    projectDir,
    tools: [{ name: "look", description: "Looks.", inputSchema: { type: "object", properties: {} }, annotations: {} }],
  };
}

async function closedSetOf(
  spec: ConversationSpec,
  options: ResolvedCodexOptions,
  home: PrivateHome,
): Promise<ClosedSet> {
  const { builtins } = spec;
  const catalog = await bundledCatalog();
  return {
    settings: processSettings(options, builtins, home.catalogFile),
    catalog: closeCatalog(catalog, builtins),
    environment: withoutPrograms(codexEnvironment(options), builtins, home),
    folders: home.variables,
    workingFolder: home.workingFolder,
    thread: threadOptions(spec, home.workingFolder, await patchFolderOf(spec, catalog)),
    message: toSentMessage(textMessage(trapPrompt), builtins),
  };
}

/** Runs one turn. Resolves with its status. */
async function converse(server: AppServer, { thread, message }: ClosedSet, receiver: TrapReceiver): Promise<string> {
  const { id: threadId } = (await server.request("thread/start", thread, threadAnswer)).thread;
  server.attach(threadId, receiver);
  const { items, input } = message;
  if (items.length > 0) await server.request("thread/inject_items", { threadId, items }, z.unknown());
  await server.request("turn/start", { threadId, input }, z.unknown());
  return receiver.end;
}
