import { type ChildProcess, spawn } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import {
  type ClientConnection,
  client,
  methods,
  ndJsonStream,
  PROTOCOL_VERSION,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionUpdate,
} from "@agentclientprotocol/sdk";
import { loadScript, startRehearsal } from "@bridle/rehearsal";
import { startTlsProxy, writeFakeLogin } from "@bridle/rehearsal/tls";
import { onTestFinished } from "vitest";
import { createPlace, type Place, startCommand } from "../support/command.ts";

const bridleFile = join(import.meta.dirname, "../../../bridle/bin/bridle.js");
const tools = join(import.meta.dirname, "../support/approvals-tools.ts");

const script = `
rehearsal: 1
turns:
  - { when: { user: delegate }, steps: [{ call: helper, with: { task: erase } }, { say: Delegated. }] }
  - { when: { user: again }, steps: [{ say: Still here. }] }
  - { when: { user: stream }, steps: [{ say: "One two three four five six." }] }
  - { when: { user: erase }, steps: [{ call: erase, with: { what: the draft } }, { say: All done. }] }
  - { when: { user: stall }, steps: [{ say: Well, stall: true }] }
  - { when: { user: retry }, steps: [{ say: "It w", cut: true }, { say: "It works." }] }
  - { when: { user: refuse }, steps: [{ status: 400 }] }
`;

/** Creates a project with an agent and rules that ask about its tools. */
export async function createEditorProject(): Promise<Place> {
  const place = await createPlace();
  onTestFinished(place.remove);
  const write = (name: string, text: string) => writeFile(join(place.project, name), text);
  await write("script.yaml", script);
  await write("tools.ts", `import tools from ${JSON.stringify(tools)};\nexport const [erase, mail] = tools(".");\n`);
  await write("bridle.yaml", "llm: { provider: { backend: anthropic, apiKey: none } }\npolicy: { mode: normal }\n");
  await write("agent.yaml", agentFile("desk"));
  return place;
}

/** Creates the same project on Claude Code with a login, at the provider's own address. */
export async function createLoginProject(): Promise<Place> {
  const place = await createEditorProject();
  await writeFile(
    join(place.project, "bridle.yaml"),
    "llm: { provider: { backend: claude-code }, models: { default: sonnet } }\npolicy: { mode: normal }\n",
  );
  await writeFakeLogin(place.configDir);
  const rehearsal = await startRehearsal({ script: await loadScript(join(place.project, "script.yaml")) });
  onTestFinished(() => rehearsal.close());
  const proxy = await startTlsProxy({ rehearsal, folder: place.home });
  onTestFinished(() => proxy.close());
  return { ...place, environment: { ...place.environment, ...proxy.environment } };
}

export function agentFile(name: string): string {
  return `name: ${name}
instructions: { inline: You are the ${name}. }
tools:
  - { type: function, name: erase, file: tools.ts, function: erase }
`;
}

type Answer = (request: RequestPermissionRequest, signal: AbortSignal) => Promise<RequestPermissionResponse>;

/** Starts an editor with the official client, connected to the real command. */
class TestEditor {
  readonly updates: { readonly sessionId: string; readonly update: SessionUpdate }[] = [];
  readonly questions: RequestPermissionRequest[] = [];
  readonly child: ChildProcess;
  readonly connection: ClientConnection;
  stderr = "";
  /** Answers the questions. */
  answer: Answer;

  constructor(place: Place, words: readonly string[], answer: Answer) {
    this.answer = answer;
    this.child = spawn(process.execPath, [bridleFile, "acp", ...words], {
      cwd: place.project,
      env: place.environment,
      stdio: ["pipe", "pipe", "pipe"],
    });
    this.child.stderr?.on("data", (chunk) => {
      this.stderr += chunk;
    });
    const { stdin, stdout } = this.child;
    if (stdin === null || stdout === null) throw new Error("The command has no streams.");
    const { session } = methods.client;
    this.connection = client({ name: "test-editor" })
      .onRequest(session.requestPermission, ({ params, signal }) => {
        this.questions.push(params);
        return this.answer(params, signal);
      })
      .onNotification(session.update, ({ params }) => void this.updates.push(params))
      .connect(ndJsonStream(Writable.toWeb(stdin), Readable.toWeb(stdout)));
  }

  get agent() {
    return this.connection.agent;
  }

  prompt(sessionId: string, text: string) {
    return this.agent.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: "text", text }] });
  }

  /** Returns the text of the messages in a session. */
  textOf(sessionId: string, kind: SessionUpdate["sessionUpdate"] = "agent_message_chunk"): string {
    const own = this.updates.flatMap((each) => (each.sessionId === sessionId ? [each.update] : []));
    return own
      .map((update) => {
        if (update.sessionUpdate !== kind || !("content" in update) || Array.isArray(update.content)) return "";
        return update.content?.type === "text" ? update.content.text : "";
      })
      .join("");
  }

  /** Resolves when an update of this kind has arrived. */
  async sees(kind: SessionUpdate["sessionUpdate"]): Promise<void> {
    while (!this.updates.some(({ update }) => update.sessionUpdate === kind)) await pause();
  }
}

export function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 10));
}

export const choose = (optionId: string) => async () => ({ outcome: { outcome: "selected" as const, optionId } });

/** Starts an editor, and one session in it. */
export async function startEditor(
  place: Place,
  { words = [], model = "rehearsal", answer = choose("allow") }: EditorOptions = {},
) {
  const editor = new TestEditor(place, [...(model === "login" ? [] : ["--rehearse", "script.yaml"]), ...words], answer);
  onTestFinished(() => void editor.child.kill("SIGKILL"));
  const { agent } = methods;
  const initialized = await editor.agent.request(agent.initialize, { protocolVersion: PROTOCOL_VERSION });
  const created = await editor.agent.request(agent.session.new, { cwd: place.project, mcpServers: [] });
  return { editor, initialized, created, id: created.sessionId };
}

interface EditorOptions {
  readonly words?: readonly string[];
  /** Chooses the project's model. `login` uses the project's own setting, without `--rehearse`. */
  readonly model?: "rehearsal" | "login";
  readonly answer?: Answer;
}

/** Runs another command in the project and returns its standard output. */
export async function runInProject(place: Place, ...words: readonly string[]): Promise<string> {
  const command = startCommand(words, place);
  await command.ended;
  return command.stdout();
}
