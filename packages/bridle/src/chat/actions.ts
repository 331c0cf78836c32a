/** What the commands of a chat do. Each gives back what it has to tell, if anything. */
import { createRedactor } from "@bridle/core";
import { findPermissionFiles, listPermissions, type Models } from "@bridle/project";
import {
  InvalidRequestError,
  isBridleError,
  type RememberedAnswer,
  sessionAnswers,
  suggestion,
} from "@bridle/protocol";
import type { Cli } from "../cli/cli.ts";
import { formatSessions } from "../sessions/format-sessions.ts";
import { listSessions } from "../sessions/list-sessions.ts";
import { bundleSession } from "./bundle-session.ts";
import type { ChatHost } from "./chat-host.ts";
import type { ChatPlan } from "./chat-plan.ts";
import type { Conversation } from "./conversation.ts";
import type { SessionControl, WithRecord } from "./session-control.ts";
import type { SlashName } from "./slash.ts";
import { answersText, costText, helpText, rulesText, toolsText } from "./told-facts.ts";

interface Parts {
  readonly cli: Cli;
  readonly plan: ChatPlan;
  readonly host: ChatHost;
  readonly conversation: Conversation;
  readonly control: SessionControl;
  readonly withRecord: WithRecord;
  /** Columns that a text may have. */
  readonly width: () => number;
  leave(): void;
}

type Action = (operand: string | undefined) => unknown;

const mostSessions = 20;
/** For the list of models: a chat must not hang on it. */
const longestListingMs = 10_000;

/** What an action resolves with is told, where it is a text. */
export function createActions(parts: Parts): Readonly<Record<SlashName, Action>> {
  const { host, conversation, control, withRecord, width, leave } = parts;
  const eventsHere = () => withRecord((record) => record.events({ sessionId: conversation.session.id }));
  return {
    help: helpText,
    new: () => control.begin(),
    sessions: async (id) =>
      id === undefined ? withRecord((record) => sessionsText(record, width())) : control.goOn(id),
    fork: () => control.fork(),
    tools: () => toolsText(host.request.tools, host.kinds, host.request.builtins ?? []),
    policy: async () => policyText(parts, sessionAnswers(await eventsHere())),
    model: async (name) => (name === undefined ? modelsText(await askModels(parts)) : changeModel(name, parts)),
    cost: async () => costText(await eventsHere()),
    compact: (strategy) => compact(strategy, conversation),
    bundle: (file) => bundleSession(conversation.session.id, file, parts),
    exit: leave,
  };
}

function sessionsText(record: Parameters<typeof listSessions>[0], width: number): string {
  const list = listSessions(record, { last: mostSessions });
  if (list.sessions.length === 0) return "No session is on record yet.";
  return `${formatSessions(list, { width, paint: (_colour, text) => text })}/sessions ID goes on with one.`;
}

async function policyText({ host, plan, cli }: Parts, ofSession: readonly RememberedAnswer[]): Promise<string> {
  const { cwd, environment } = cli;
  const { projectDir, namespace } = plan;
  const where = { ...(projectDir !== undefined && { projectDir }), ...(namespace !== undefined && { namespace }) };
  const lasting = await listPermissions(findPermissionFiles({ cwd, environment, ...where }));
  const rules = (await host.policies()).map(({ id, snapshot = JSON.stringify(id) }) => snapshot);
  return `${rulesText(rules)}\n${answersText([...ofSession, ...lasting])}`;
}

/** Nothing where the host cannot be asked. */
async function askModels({ plan, host, cli }: Parts): Promise<Models | string> {
  if (plan.rehearse !== undefined) return "A rehearsed model has any name.";
  try {
    return await host.models(AbortSignal.timeout(longestListingMs));
  } catch (error) {
    if (isBridleError(error)) return createRedactor({ environment: cli.environment }).text(error.message);
    throw error;
  }
}

function modelsText(models: Models | string): string {
  if (typeof models === "string") return models;
  const lines = models.models.map(({ id, aliases }) => [id, ...aliases.map((alias) => `(${alias})`)].join(" "));
  return [...lines, "/model NAME changes to one, from the next run on."].join("\n");
}

/** A name that the host, when it was asked, does not know is refused. */
async function changeModel(name: string, parts: Parts): Promise<string> {
  const models = await askModels(parts);
  if (typeof models !== "string" && models.asked) {
    const known = models.models.flatMap(({ id, aliases }) => [id, ...aliases]);
    if (!known.includes(name)) {
      throw new InvalidRequestError(
        `${models.backend} has no model "${name}".${suggestion(name, known)} /model lists them.`,
      );
    }
  }
  await parts.control.changeModel(name);
  const isKnown = typeof models !== "string" && models.asked;
  return `From the next run on: ${name}.${isKnown ? "" : " Whether it exists is only seen then."}`;
}

const strategies = ["drop-tool-results", "summarise"] as const;

async function compact(word: string | undefined, conversation: Conversation): Promise<string> {
  const strategy = word === undefined ? strategies[0] : strategies.find((each) => each === word);
  if (strategy === undefined) {
    throw new InvalidRequestError(
      `There is no way "${word}" to compact.${suggestion(word ?? "", strategies)} Known: ${strategies.join(", ")}.`,
    );
  }
  const before = conversation.session.history().length;
  const isShorter = await conversation.session.compact(strategy);
  if (!isShorter) {
    const other = strategy === "summarise" ? "" : ' "/compact summarise" has the model condense it.';
    return `Nothing can be left out with ${strategy}.${other}`;
  }
  conversation.markAhead();
  return `Compacted (${strategy}): ${before} messages are ${conversation.session.history().length} from the next run on.`;
}
