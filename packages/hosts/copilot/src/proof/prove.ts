/**
 * Proves on this machine that only the caller's input reaches the model and that the runtime's own tools do not run. Runs the real runtime
 * with the variables and files of this machine, and a rehearsed model that calls each of those tools by name.
 */
import { isDeepStrictEqual } from "node:util";
import { type BoundaryFinding, bareContext, bareConversation, startTrafficWatch } from "@bridle/host-shared";
import { type Backend, type ConversationSpec, type HostEnvironment, textMessage } from "@bridle/protocol";
import { defineScript, type RecordedRequest, startRehearsal } from "@bridle/rehearsal";
import { z } from "zod";
import { createCopilotBackend } from "../backend.ts";
import { runtimeToolNames } from "../boundary/builtin-names.ts";

export interface BoundaryProof {
  readonly environment: HostEnvironment;
  /** The folder in which the run works. */
  readonly projectDir: string;
  /** A file that a forged call would write. */
  readonly effectFile: string;
  readonly signal?: AbortSignal | undefined;
}

const instructions = "You are the agent of a boundary check.";
const prompt = "/help @AGENTS.md @package.json @~/.copilot/config.json #file:README.md $skill";

/** The requests that the model service received, and the actions of the runtime. */
export interface BoundaryEvidence {
  readonly requests: readonly RecordedRequest[];
  /** The replies to the forged calls, by tool. */
  readonly refusals: ReadonlyMap<string, string>;
  /** Hosts that the runtime tried to reach besides the model service. */
  readonly otherHosts: readonly string[];
}

export async function collectEvidence(proof: BoundaryProof): Promise<BoundaryEvidence> {
  const traffic = await startTrafficWatch();
  const rehearsal = await startRehearsal({ script: defineScript(forgedScript(proof.effectFile)) });
  const environment = { ...proof.environment, ...traffic.environment };
  const backend = createCopilotBackend({ environment, baseUrl: `${rehearsal.url}/v1`, apiKey: "key-of-the-proof" });
  try {
    const refusals = await converseWithForger(backend, proof);
    return { requests: rehearsal.requests, refusals, otherHosts: traffic.hosts };
  } finally {
    await backend.close();
    await rehearsal.close();
    await traffic.close();
  }
}

/** Runs one turn. Resolves with the replies to the forged calls, by tool. */
export async function converseWithForger(
  backend: Pick<Backend, "open">,
  proof: Pick<BoundaryProof, "projectDir" | "signal">,
): Promise<ReadonlyMap<string, string>> {
  const refusals = new Map<string, string>();
  const signal = proof.signal ?? new AbortController().signal;
  const conversation = await backend.open(specFor(proof), signal);
  await conversation.turn(
    textMessage(prompt),
    bareContext(signal, ({ tool }, output) => void refusals.set(tool, output)),
  );
  return refusals;
}

export function judgeEvidence({ requests, refusals, otherHosts }: BoundaryEvidence): BoundaryFinding[] {
  const problems = requests.flatMap(({ body }) => findAdditions(body));
  const ran = runtimeToolNames.filter((name) => !/does not exist/.test(refusals.get(name) ?? ""));
  return [
    {
      title: "Copilot's runtime sends the model only the instructions, the prompt and the tools of the run",
      ok: problems.length === 0 && requests.length > 0,
      detail: problems.join("; ") || `${requests.length} requests`,
    },
    {
      title: "The runtime's own tools do not run, even if the model calls each by its name",
      ok: ran.length === 0,
      detail: ran.length === 0 ? `${runtimeToolNames.length} calls were refused` : `not refused: ${ran.join(", ")}`,
    },
    {
      title: "The runtime reaches no host but the model service",
      ok: otherHosts.length === 0,
      detail: otherHosts.length === 0 ? "no other connection" : `it tried ${otherHosts.join(", ")}`,
    },
  ];
}

export function forgedScript(effectFile: string) {
  const command = `echo ran > ${effectFile}`;
  const input = {
    command,
    cmd: command,
    path: effectFile,
    filePath: effectFile,
    file_text: "ran",
    content: "ran",
    pattern: "*",
    query: "SELECT 1",
    url: "http://example.com/",
    prompt: "ran",
    description: "ran",
  };
  const calls = runtimeToolNames.map((name) => ({ call: name, with: input }));
  return { rehearsal: 1 as const, turns: [{ steps: [{ calls }, { say: "done" }] }] };
}

function specFor({ projectDir }: Pick<BoundaryProof, "projectDir">): ConversationSpec {
  return {
    ...bareConversation("gpt-6-sol"),
    system: { static: instructions, dynamic: "" },
    tools: [{ name: "own_tool", description: "Of the check.", inputSchema: ownSchema, annotations: {} }],
    stepBudget: 3,
    projectDir,
  };
}

const ownSchema = { type: "object", properties: {} } as const;

const wireRequest = z.looseObject({
  instructions: z.string(),
  input: z.array(
    z.looseObject({ role: z.string().optional(), type: z.string().optional(), content: z.unknown().optional() }),
  ),
  tools: z.array(z.looseObject({ name: z.string(), description: z.string(), parameters: z.unknown() })),
});
const answers = ["function_call", "function_call_output", "reasoning"];

function findAdditions(body: unknown): string[] {
  const parsed = wireRequest.safeParse(body);
  if (!parsed.success) return [`a request has another form: ${z.prettifyError(parsed.error)}`];
  const { input, tools } = parsed.data;
  const sent = input.filter(({ role, type = "" }) => role !== "assistant" && !answers.includes(type));
  const expected = [{ type: "message", role: "user", content: [{ type: "input_text", text: prompt }] }];
  const [tool, ...others] = tools;
  return [
    ...(parsed.data.instructions === instructions ? [] : ["the instructions were changed"]),
    ...(isDeepStrictEqual(sent, expected) ? [] : [`the messages are ${JSON.stringify(sent).slice(0, 500)}`]),
    ...(others.length === 0 && tool?.name === "own_tool" && isDeepStrictEqual(tool.parameters, ownSchema)
      ? []
      : [`the tools are ${tools.map(({ name }) => name).join(", ")}`]),
  ];
}
