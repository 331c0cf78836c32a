import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Sends a prompt and resolves with the text of the answer. */
export type Ask = (prompt: string) => Promise<string | undefined>;

/** The peer's working folder, and the environment that selects its host. */
export interface PeerPlace {
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** The address that Codex sends its requests to, and its folders. */
interface CodexPlace {
  readonly baseUrl: string;
  readonly model: string;
  readonly home: string;
  readonly workingDirectory: string;
}

const folder = new URL("peers/", import.meta.url);

/** Loads Claude Code through its Agent SDK, with a new process for every call. */
export async function loadRawQuery(place: PeerPlace): Promise<Ask> {
  const { ask } = await load<{ ask(prompt: string, place: PeerPlace): ReturnType<Ask> }>("raw-query.js");
  return (prompt) => ask(prompt, place);
}

/** Loads Claude Code through its Agent SDK, in a conversation on disk. Every call continues from the same turn. */
export async function loadRawResume(place: PeerPlace): Promise<Ask> {
  const { createResume } = await load<{ createResume(place: PeerPlace): Promise<Ask> }>("raw-query.js");
  return createResume(place);
}

/** Loads Claude Code through `ai-sdk-provider-claude-code`. */
export async function loadClaudeCodeProvider(place: PeerPlace): Promise<Ask> {
  const { ask } = await load<{ ask(prompt: string, place: PeerPlace): ReturnType<Ask> }>("provider-claude-code.js");
  return (prompt) => ask(prompt, place);
}

/** Loads Anthropic's API through the AI SDK. */
export async function loadAiSdk(options: { apiKey: string; baseURL: string; model: string }): Promise<Ask> {
  const { createAsk } = await load<{ createAsk(given: typeof options): Ask }>("ai-sdk.js");
  return createAsk(options);
}

/** Loads Codex through `@openai/codex-sdk`, with a new process for every call. */
export async function loadCodexSdk(options: CodexPlace): Promise<Ask> {
  const { createAsk } = await load<{ createAsk(given: CodexPlace): Ask }>("codex-sdk.js");
  return createAsk(options);
}

/** Installs the peers unless they are already installed in the versions that their package.json lists. Needs the npm registry. */
export function installPeers(): void {
  if (arePresent()) return;
  console.log("Installing the peers that Bridle is compared with (once, about 1 GB) ...");
  execFileSync("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: fileURLToPath(folder),
    stdio: ["ignore", "ignore", "inherit"],
  });
}

function arePresent(): boolean {
  const { dependencies } = readManifest(new URL("package.json", folder));
  return Object.entries(dependencies ?? {}).every(([name, version]) => {
    const manifest = new URL(`node_modules/${name}/package.json`, folder);
    return existsSync(manifest) && readManifest(manifest).version === version;
  });
}

function readManifest(url: URL): { version?: string; dependencies?: Record<string, string> } {
  return JSON.parse(readFileSync(url, "utf8"));
}

async function load<T>(file: string): Promise<T> {
  return import(new URL(file, folder).href);
}
