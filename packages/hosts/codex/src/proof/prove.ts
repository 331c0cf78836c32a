/**
 * Proves on this machine that only the caller's input reaches the model and that Codex's own tools do not run. The proof runs the real
 * Codex with the files and variables of this machine, in a project full of traps. A rehearsed model calls each of those tools by name. No
 * login is used, and nothing leaves the machine.
 */
import { rm } from "node:fs/promises";
import { delimiter } from "node:path";
import {
  type BoundaryFinding,
  bareContext,
  bareConversation,
  makeTemporaryFolder,
  startTrafficWatch,
} from "@bridle/host-shared";
import { type ConversationSpec, type HostEnvironment, textMessage } from "@bridle/protocol";
import { defineScript, type RecordedRequest, type ScriptInput, startRehearsal } from "@bridle/rehearsal";
import { createCodexBackend } from "../backend.ts";
import { applyPatch } from "../boundary/opened-tools.ts";
import { userKeyVariable } from "../environment/user-key.ts";
import { forgedCalls, forgedNames } from "./forged-calls.ts";
import { findSentAdditions } from "./sent-input.ts";
import {
  codexTrapVariables,
  type PlantedTraps,
  plantCodexTraps,
  trapPrompt,
  trapWord,
  variableWords,
} from "./traps.ts";

export interface CodexBoundaryProof {
  readonly environment: HostEnvironment;
  readonly signal?: AbortSignal | undefined;
}

/** One model for each way in which Codex offers tools, and one that gets the tool that can be opened. */
const conversations: readonly { readonly model: string; readonly builtins: readonly string[] }[] = [
  { model: "gpt-5.5", builtins: [] },
  { model: "gpt-6-sol", builtins: [] },
  { model: "gpt-6-sol", builtins: [applyPatch] },
];
const instructions = "You are the agent of a boundary check.";
const ownTool = "own_tool";
const ownSchema = { type: "object", properties: {} } as const;
const keyOfTheProof = "key-of-the-proof";

/** The requests that the model service received, and the actions of Codex. */
export interface CodexEvidence {
  readonly requests: readonly RecordedRequest[];
  /** The tools whose call was refused, for each conversation. */
  readonly refused: readonly ReadonlySet<string>[];
  /** The names of the programs that ran. */
  readonly marks: readonly string[];
  /** Hosts that Codex tried to reach besides the model service. */
  readonly otherHosts: readonly string[];
}

export async function proveCodexBoundary(proof: CodexBoundaryProof): Promise<BoundaryFinding[]> {
  const root = await makeTemporaryFolder("bridle-boundary", "The proof of the boundary");
  try {
    return judgeCodexEvidence(await collectCodexEvidence(proof, await plantCodexTraps({ root })));
  } finally {
    await rm(root, { recursive: true, force: true, maxRetries: 5 });
  }
}

export async function collectCodexEvidence(proof: CodexBoundaryProof, traps: PlantedTraps): Promise<CodexEvidence> {
  const traffic = await startTrafficWatch();
  const rehearsal = await startRehearsal({ script: defineScript(scriptOf(traps.effect)) });
  const variables = { ...proof.environment, ...codexTrapVariables, ...traffic.environment };
  const PATH = [traps.programs, variables.PATH].filter(Boolean).join(delimiter);
  const environment = { ...variables, PATH, [userKeyVariable]: keyOfTheProof };
  const backend = createCodexBackend({ auth: "api_key", environment, baseUrl: `${rehearsal.url}/v1` });
  const signal = proof.signal ?? new AbortController().signal;
  const refused: Set<string>[] = [];
  try {
    for (const { model, builtins } of conversations) {
      const names = new Set<string>();
      const conversation = await backend.open({ ...specOf(model, traps), builtins }, signal);
      await conversation.turn(
        textMessage(trapPrompt),
        bareContext(signal, ({ tool }) => void names.add(tool)),
      );
      refused.push(names);
    }
  } finally {
    await backend.close();
    await rehearsal.close();
    await traffic.close();
  }
  return { requests: rehearsal.requests, refused, marks: await traps.marks(), otherHosts: traffic.hosts };
}

export function judgeCodexEvidence({ requests, refused, marks, otherHosts }: CodexEvidence): BoundaryFinding[] {
  const expectedOf = (index: number) => {
    const { builtins = [] } = conversations[Math.floor(index / 2)] ?? {};
    return { instructions, prompt: trapPrompt, tools: [ownTool, ...builtins] };
  };
  const sent = JSON.stringify(requests);
  const words = [trapWord, ...variableWords].filter((word) => sent.includes(word));
  const payers = requests.filter(({ headers }) => headers.authorization !== `Bearer ${keyOfTheProof}`);
  const accepted = refused.flatMap((names) => forgedNames.filter((name) => !names.has(name)));
  const hasRun = requests.length === 2 * conversations.length;
  return [
    finding("Codex sends the model only the instructions, the prompt and the tools of the run", [
      ...(hasRun ? [] : [`${requests.length} requests were sent, not ${2 * conversations.length}`]),
      ...requests.flatMap(({ body }, index) => findSentAdditions(body, expectedOf(index))),
    ]),
    finding(
      "No text of a file, a setting or a variable is sent",
      words.map((word) => `"${word}" was sent`),
    ),
    finding("Codex's own tools do not run, even if the model calls each by its name", [
      ...accepted.map((name) => `${name} was not refused`),
    ]),
    finding(
      "No hook, server, plugin, command of a setting or program of the search path runs",
      marks.map((mark) => `${mark} ran`),
    ),
    finding(
      "Variables do not change who pays",
      payers.map(({ path }) => `a request to ${path} has other credentials`),
    ),
    finding(
      "Codex reaches no host but the model service",
      otherHosts.map((host) => `it tried ${host}`),
    ),
  ];
}

function finding(title: string, problems: readonly string[]): BoundaryFinding {
  return { title, ok: problems.length === 0, detail: [...new Set(problems)].slice(0, 5).join("; ") };
}

function scriptOf(effect: string): ScriptInput {
  return { rehearsal: 1, turns: [{ steps: [{ calls: forgedCalls(effect) }, { say: "done" }] }] };
}

function specOf(model: string, { project }: PlantedTraps): ConversationSpec {
  return {
    ...bareConversation(model),
    system: { static: instructions, dynamic: "" },
    tools: [{ name: ownTool, description: "Of the check.", inputSchema: ownSchema, annotations: {} }],
    stepBudget: 3,
    projectDir: project,
  };
}
