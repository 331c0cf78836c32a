/** Derives the findings from the evidence. Each finding is based on the requests and on what ran, never on the configuration. */
import type { BoundaryFinding } from "@bridle/host-shared";
import type { RecordedRequest } from "@bridle/rehearsal";
import { z } from "zod";
import { answerToPrompts, type Evidence, handedTool, skillsPrompt } from "./evidence.ts";
import type { Traps } from "./traps.ts";

export interface Finding extends BoundaryFinding {
  readonly id: string;
}

export interface BoundaryExpectation {
  traps: Traps;
  /** The credential that the model service should receive, in the form of its header. */
  authorization: { header: string; value: string };
  /** Secrets and values of variables that must not be sent. */
  variableWord: string;
  attempted: readonly string[];
}

const bodySchema = z.looseObject({
  model: z.string(),
  max_tokens: z.number().optional(),
  tools: z.array(z.looseObject({ name: z.string() })).optional(),
  messages: z.array(z.looseObject({ role: z.string(), content: z.unknown() })),
});

export function findingsOf(evidence: Evidence, expectation: BoundaryExpectation): Finding[] {
  return [
    finding("came-up", "The host comes up as it was asked to, and runs go on to their end", cameUp(evidence)),
    finding("instructions", "No CLAUDE.md or rule of any level is sent", sent(evidence, expectation, "instructions")),
    finding("extensions", "No skill, command, agent or output style is sent", extensions(evidence, expectation)),
    finding(
      "memory",
      "The notes that the host keeps for the folder are not sent",
      sent(evidence, expectation, "memory"),
    ),
    finding("settings", "No settings file changes the requests", sent(evidence, expectation, "settings")),
    finding("hooks", "No hook or helper of a settings file runs", ran(evidence, /^(hook|api-key-helper)-/)),
    finding("mcp", "No MCP server of a settings file is started", ran(evidence, /^mcp-/)),
    finding(
      "prompts",
      "Prompts with @paths and /commands are sent as they were written",
      promptProblems(evidence, expectation),
    ),
    finding("tools", "The model is offered exactly the tools that were handed over", toolProblems(evidence)),
    finding(
      "builtins",
      "Every other tool that the model calls is refused, and nothing happens",
      builtinProblems(evidence, expectation),
    ),
    finding(
      "environment",
      "Variables change neither the payer, nor the destination, nor the content of requests",
      environmentProblems(evidence, expectation),
    ),
    finding("place", "The host works in the project's folder", placeProblems(evidence, expectation)),
    finding(
      "traces",
      "The host stores no part of the conversations",
      evidence.traces.map((name) => `${name} was written`),
    ),
  ];
}

function finding(id: string, title: string, problems: readonly string[]): Finding {
  return { id, title, ok: problems.length === 0, detail: [...new Set(problems)].slice(0, 5).join("; ") };
}

function cameUp({ sweep, skills }: Evidence): string[] {
  const ended = [sweep?.result, skills?.result].flatMap((result) =>
    !result || result.stopReason === "natural"
      ? []
      : [`a run ended as ${result.stopReason}: ${result.error?.message ?? "-"}`],
  );
  const runs = sweep?.toolRuns ?? 1;
  return [...ended, ...(runs === 1 ? [] : [`the tool that was handed over ran ${runs} times, not once`])];
}

function extensions(evidence: Evidence, expectation: BoundaryExpectation): string[] {
  const words = ["skill", "command", "agent", "output-style"].flatMap((kind) => sent(evidence, expectation, kind));
  const listed = modelRequests(evidence.requests).some(({ body }) =>
    /skills are available/i.test(JSON.stringify(body)),
  );
  return listed ? [...words, "skills of the host were listed to the model"] : words;
}

function sent({ requests }: Evidence, { traps }: BoundaryExpectation, kind: string): string[] {
  const word = traps.words[kind] ?? "";
  return modelRequests(requests).some(({ body }) => JSON.stringify(body).includes(word))
    ? [`"${word}" was sent to the model`]
    : [];
}

function ran({ marks }: Evidence, pattern: RegExp): string[] {
  return marks.filter((mark) => pattern.test(mark)).map((mark) => `${mark} ran`);
}

function promptProblems({ prompts = [] }: Evidence, { traps }: BoundaryExpectation): string[] {
  return prompts.flatMap(({ prompt, answer, requests }) => {
    const [request] = modelRequests(requests);
    if (!request) return [`${prompt} was not sent, but answered by the host: ${answer.slice(0, 80)}`];
    const texts = userTexts(request);
    return [
      ...(texts.at(-1) === prompt ? [] : [`${prompt} was sent as ${JSON.stringify(texts.at(-1))}`]),
      ...(answer === answerToPrompts ? [] : [`${prompt} was answered with ${JSON.stringify(answer.slice(0, 80))}`]),
      ...(JSON.stringify(request.body).includes(traps.words.file ?? "")
        ? [`${prompt} sent the content of a file`]
        : []),
    ];
  });
}

function toolProblems({ requests }: Evidence): string[] {
  return modelRequests(requests).flatMap(({ body }) => {
    const names = (bodySchema.parse(body).tools ?? []).map(({ name }) => name);
    const opened = JSON.stringify(body).includes(skillsPrompt) ? ["Skill"] : [`mcp__bridle__${handedTool}`];
    return names.filter((name) => !opened.includes(name)).map((name) => `${name} was offered`);
  });
}

function builtinProblems({ sweep, marks, visits }: Evidence, { attempted }: BoundaryExpectation): string[] {
  if (!sweep) return [];
  const names = new Map(
    sweep.events.flatMap((event) => (event.type === "tool.requested" ? [[event.callId, event.tool] as const] : [])),
  );
  const denied = new Set(
    sweep.events.flatMap((event) => (event.type === "tool.denied" ? [names.get(event.callId)] : [])),
  );
  const started = sweep.events.flatMap((event) => (event.type === "tool.started" ? [names.get(event.callId)] : []));
  const wanted = attempted.map((name) => name.replace(/^mcp__bridle__/, ""));
  return [
    ...wanted.filter((name) => !denied.has(name)).map((name) => `${name} was not refused`),
    ...started.filter((name) => name !== handedTool).map((name) => `${name} was started`),
    ...marks.filter((mark) => !/^(hook|mcp|api-key-helper)-/.test(mark)).map((mark) => `${mark} appeared on disk`),
    ...visits.map((visit) => `${visit} reached the network`),
  ];
}

function environmentProblems(
  { requests, visits }: Evidence,
  { authorization, variableWord }: BoundaryExpectation,
): string[] {
  return [
    ...visits.map((visit) => `${visit} went to an address from the environment`),
    ...requests.flatMap(({ headers, body, path }) => [
      ...(JSON.stringify([headers, body]).includes(variableWord) ? [`a variable's value was sent to ${path}`] : []),
    ]),
    ...modelRequests(requests).flatMap(({ headers, body }) => [
      ...(headers[authorization.header] === authorization.value
        ? []
        : [`${authorization.header} was not the one that was asked for`]),
      ...(bodySchema.parse(body).max_tokens === 77 ? ["a variable set the length of answers"] : []),
    ]),
  ];
}

function placeProblems({ requests }: Evidence, { traps }: BoundaryExpectation): string[] {
  const elsewhere = modelRequests(requests).some(({ body }) => !JSON.stringify(body).includes(traps.project));
  return elsewhere ? ["a request names another folder"] : [];
}

function modelRequests(requests: readonly RecordedRequest[]): RecordedRequest[] {
  return requests.filter(({ method, path }) => method === "POST" && path === "/v1/messages");
}

/** Returns the text blocks of the user's newest message. The host's own reminders come before the prompt. */
function userTexts({ body }: RecordedRequest): string[] {
  const message = bodySchema.parse(body).messages.findLast(({ role }) => role === "user");
  if (typeof message?.content === "string") return [message.content];
  const blocks = z.array(z.looseObject({ text: z.string().optional() })).parse(message?.content ?? []);
  return blocks.flatMap(({ text }) => (text === undefined ? [] : [text]));
}
