import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { findImages, type SentRequest } from "@bridle/conformance";
import type { HistoryPart } from "@bridle/protocol";
import {
  defineScript,
  type RecordedRequest,
  type Rehearsal,
  type ScriptInput,
  startRehearsal,
} from "@bridle/rehearsal";
import { startTlsProxy, type TlsProxy, writeFakeLogin } from "@bridle/rehearsal/tls";
import { z } from "zod";
import type { Refusals } from "../../../shared/tests/to-script.ts";
import { type ClaudeCodeBackend, createClaudeCodeBackend } from "../../src/backend.ts";
import type { ClaudeCodeOptions } from "../../src/options.ts";
import { ourToolName } from "../../src/tools/tool-names.ts";
import { createHome, type TemporaryHome } from "./home.ts";
import { withOverflows } from "./overflow-once.ts";
import { withWindows } from "./used-up-window.ts";

/** The real Claude Code on a made-up login, with production options. The rehearsed model is reached under the provider's own host name. */
export interface HostTestContext {
  backend: ClaudeCodeBackend;
  /** The same backend without a pool, so that each call has its own process. */
  unpooled: ClaudeCodeBackend;
  home: TemporaryHome;
  rehearsal: Rehearsal;
  tlsProxy: TlsProxy;
  close(): Promise<void>;
}

export async function startTestContext(
  script: ScriptInput,
  options: Partial<ClaudeCodeOptions> = {},
): Promise<HostTestContext> {
  const home = await createHome();
  const rehearsal = await startRehearsal({ script: withOverflows(withWindows(defineScript(script))) });
  const tlsProxy = await startTlsProxy({ rehearsal, folder: home.home });
  await writeFakeLogin(home.configDir);
  if (options.auth === undefined) await writeKnownAccount(home.configDir);
  const environment = { ...home.environment, ...tlsProxy.environment, ...options.environment };
  const backend = createClaudeCodeBackend({ ...options, environment });
  const unpooled = createClaudeCodeBackend({ ...options, environment, pool: false });
  return {
    backend,
    unpooled,
    home,
    rehearsal,
    tlsProxy,
    async close() {
      await backend.close();
      await unpooled.close();
      await tlsProxy.close();
      await rehearsal.close();
      await home.remove();
    },
  };
}

/** Writes the account and the machine id that Claude Code stores at its first start with a login. It sends both with requests. */
async function writeKnownAccount(configDir: string): Promise<void> {
  const oauthAccount = { accountUuid: "00000000-0000-4000-8000-000000000001", emailAddress: "rehearsal@example.com" };
  await writeFile(join(configDir, ".claude.json"), JSON.stringify({ oauthAccount, userID: "0".repeat(64) }));
}

const final = { headers: { "x-should-retry": "false" } };
/** How the service refuses requests. Most refusals tell Claude Code not to send the request again. */
export const claudeRefusals: Refusals = {
  authentication: { status: 401, ...final },
  billing: { status: 402, ...final },
  "usage-limit": { limit: { resets_in_seconds: 3600 } },
  "rate-limit": { status: 429, ...final },
  overloaded: { status: 529, ...final },
  "model-not-found": { status: 404, ...final },
  "context-overflow": { status: 400, message: "prompt is too long: 250000 tokens > 200000 maximum" },
  "invalid-request": { status: 400, message: "messages: something is wrong" },
  "connection-lost": { reset: true },
};

const wireRequest = z.looseObject({
  system: z.union([z.string(), z.array(z.looseObject({ text: z.string() }))]).optional(),
  tools: z
    .array(
      z.looseObject({ name: z.string(), description: z.string().default(""), input_schema: z.unknown().optional() }),
    )
    .optional(),
  messages: z.array(z.looseObject({ role: z.string(), content: z.unknown() })),
});

/** Reads the model requests of a rehearsal, with our tool names. */
export function sentRequests(requests: readonly RecordedRequest[]): SentRequest[] {
  return requests
    .filter(({ path, method }) => method === "POST" && path === "/v1/messages")
    .map(({ body }) => toSent(body));
}

function toSent(body: unknown): SentRequest {
  const { system = "", tools = [], messages } = wireRequest.parse(body);
  return {
    system: typeof system === "string" ? system : system.map(({ text }) => text).join("\n"),
    tools: tools.map(({ name, description, input_schema }) => ({
      name: ourToolName(name),
      description,
      inputSchema: input_schema,
    })),
    images: findImages(messages),
    texts: messages.filter(({ role }) => role === "user").flatMap(({ content }) => textsOf(content)),
    messages: messages.flatMap(({ role, content }) => {
      if (role !== "user" && role !== "assistant") return [];
      const parts = typeof content === "string" ? [textPart(content)] : z.array(wireBlock).parse(content).map(toPart);
      return [{ role, content: parts.filter((part) => part !== undefined) }];
    }),
  };
}

const wireBlock = z.looseObject({
  type: z.string(),
  text: z.string().default(""),
  id: z.string().default(""),
  name: z.string().default(""),
  input: z.record(z.string(), z.unknown()).default({}),
  tool_use_id: z.string().default(""),
  content: z.unknown().optional(),
  is_error: z.boolean().default(false),
});

const textPart = (text: string): HistoryPart => ({ type: "text", text });

/** Converts a block to a part. Undefined for blocks that the host itself adds. */
function toPart({ type, text, id, name, input, tool_use_id, content, is_error }: z.infer<typeof wireBlock>) {
  if (type === "tool_use") return { type: "tool-call" as const, callId: id, tool: ourToolName(name), input };
  if (type === "text") return text.startsWith("<system-reminder>") ? undefined : textPart(text);
  if (type !== "tool_result") return undefined;
  const output = textsOf(content).join("");
  return { type: "tool-result" as const, callId: tool_use_id, output, isError: is_error };
}

function textsOf(content: unknown): string[] {
  if (typeof content === "string") return [content];
  if (!Array.isArray(content)) return [];
  return content.flatMap((block: { text?: unknown; content?: unknown }) =>
    typeof block.text === "string" ? [block.text] : textsOf(block.content),
  );
}
