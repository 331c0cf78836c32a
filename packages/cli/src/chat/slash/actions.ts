/** The commands of a chat. Each returns its result as text, or `undefined` if there is no result to show. */
import { describeContext, type OpenChat } from "@bridle/app/chat";
import { rememberText } from "@bridle/app/knowledge";
import { listPermissions } from "@bridle/app/permissions";
import { createRedactor } from "@bridle/app/redaction";
import type { AgentChatPlan } from "@bridle/app/runs";
import { listSessions } from "@bridle/app/sessions";
import type { Models } from "@bridle/app/status";
import {
  counted,
  type EventLog,
  InvalidRequestError,
  isBridleError,
  type RememberedAnswer,
  sessionAnswers,
  suggestion,
} from "@bridle/protocol";
import type { ProjectCli } from "../../command/cli.ts";
import { formatSessions } from "../../commands/sessions/format-sessions.ts";
import { formatModels } from "../../commands/status/format-models.ts";
import { formatMinute } from "../../terminal/page.ts";
import { toPrintableLine } from "../../terminal/printable.ts";
import type { ChoiceQuestion } from "../choice-panel.ts";
import { formatAnswers, formatContext, formatCosts, formatHelp, formatRules, formatTools } from "./action-texts.ts";
import { bundleSession, exportSession } from "./session-files.ts";
import type { SlashName } from "./slash.ts";

interface ActionParts {
  readonly cli: ProjectCli;
  readonly plan: AgentChatPlan;
  readonly chat: OpenChat;
  /** The number of columns for a text. */
  readonly width: () => number;
  /** Asks the user to choose. Resolves with the index, or with `undefined`. */
  choose(question: ChoiceQuestion): Promise<number | undefined>;
  leave(): void;
}

type Action = (operand: string | undefined) => unknown;

const maxSessions = 20;
/** The maximum number of choices, because each has a key from 1 to 9. */
const maxChoices = 9;
/** How long to wait for the list of models, because the chat must not hang. */
const maxListingMs = 10_000;

/** Creates the actions of a chat. If an action resolves with a text, the chat shows the text. */
export function createActions(parts: ActionParts): Readonly<Record<SlashName, Action>> {
  const { chat, width, leave } = parts;
  const { runner, runs, control, withEventLog } = chat;
  const ownEvents = () => withEventLog((eventLog) => eventLog.read({ sessionId: runs.session.id }));
  return {
    help: () => formatHelp(width()),
    new: () => control.startNew(),
    clear: () => control.startNew(),
    sessions: async (id) =>
      id === undefined ? withEventLog((eventLog) => describeSessions(eventLog, width())) : control.resume(id),
    resume: (id) => (id === undefined ? chooseSession(parts) : control.resume(id)),
    fork: () => control.fork(),
    tools: () => formatTools(runner.request.tools, runner.kinds, runner.request.builtins ?? [], width()),
    policy: async () => describePolicy(parts, sessionAnswers(await ownEvents())),
    model: async (name) =>
      name === undefined ? describeModels(await findModels(parts), width()) : changeModel(name, parts),
    context: async () =>
      formatContext(describeContext(await ownEvents(), runs.session.history(), runner.request), width()),
    cost: async () => formatCosts(await ownEvents(), width()),
    compact: (strategy) => compact(strategy, chat),
    remember: (text) => remember(text, parts),
    export: (file) => withEventLog((eventLog) => exportSession(runs.session.id, file, { eventLog, cli: parts.cli })),
    bundle: (file) => bundleSession(runs.session.id, file, parts.cli),
    exit: leave,
  };
}

async function describeSessions(eventLog: EventLog, width: number): Promise<string> {
  const found = (await listSessions(eventLog, { last: maxSessions + 1 })).sessions;
  if (found.length === 0) return "This project has no sessions yet.";
  const list = formatSessions({ sessions: found.slice(0, maxSessions) }, { width, paint: (_colour, text) => text });
  const older = found.length > maxSessions ? ' There are older ones: "bridle sessions list".' : "";
  return `${list}/sessions ID resumes one.${older}`;
}

/** Lets the user choose among the newest sessions. */
async function chooseSession({ chat, choose }: ActionParts): Promise<string | undefined> {
  const { runs, control, withEventLog } = chat;
  const { sessions } = await withEventLog((eventLog) => listSessions(eventLog, { last: maxChoices + 2 }));
  const others = sessions.filter(({ id }) => id !== runs.session.id);
  if (others.length === 0) return "This project has no other sessions.";
  const choices = others.slice(0, maxChoices).map(({ lastAt, runs, firstWords }, index) => ({
    key: String(index + 1),
    label: `${formatMinute(lastAt)}  ${counted(runs, "run").padEnd(7)}  ${toPrintableLine(firstWords ?? "")}`,
  }));
  const older = others.length > maxChoices ? " There are older ones: /sessions lists more." : "";
  const chosen = others[(await choose({ title: `Which session?${older}`, facts: [], choices, selected: 0 })) ?? -1];
  if (chosen !== undefined) await control.resume(chosen.id);
  return undefined;
}

async function describePolicy(
  { chat, cli, width }: ActionParts,
  ofSession: readonly RememberedAnswer[],
): Promise<string> {
  const lasting = await listPermissions(cli.project.permissionFiles);
  const rules = (await chat.runner.policies()).map(({ id, snapshot = JSON.stringify(id) }) => snapshot);
  return `${formatRules(rules, width())}\n${formatAnswers([...ofSession, ...lasting], width())}`;
}

/** Lists the models of the host, or explains why they cannot be listed. */
async function findModels({ plan, chat, cli }: ActionParts): Promise<Models | string> {
  if (plan.rehearse !== undefined) return "A rehearsed model accepts any name.";
  try {
    return await chat.runner.models(AbortSignal.timeout(maxListingMs));
  } catch (error) {
    if (isBridleError(error)) return createRedactor({ environment: cli.environment }).text(error.message);
    throw error;
  }
}

/** Formats the same table as `bridle models`. */
function describeModels(models: Models | string, width: number): string {
  if (typeof models === "string") return models;
  return `${formatModels(models, width)}/model NAME changes the model of the next runs.`;
}

/** Throws InvalidRequestError if the host lists its models and the name is not among them. */
async function changeModel(name: string, parts: ActionParts): Promise<string> {
  const models = await findModels(parts);
  if (typeof models !== "string" && models.asked) {
    const known = models.models.flatMap(({ id, aliases }) => [id, ...aliases]);
    if (!known.includes(name)) {
      const near = suggestion(name, known);
      throw new InvalidRequestError(`${models.backend} has no model "${name}".${near} /model lists the models.`);
    }
  }
  await parts.chat.control.changeModel(name);
  const isKnown = typeof models !== "string" && models.asked;
  return `The next runs use ${name}.${isKnown ? "" : " The next run shows whether it exists."}`;
}

/** Remembers the user's own words. Calls no model, so it costs nothing and stores exactly the typed text. */
async function remember(text: string | undefined, { cli, chat }: ActionParts): Promise<string> {
  if (text === undefined) throw new InvalidRequestError("Type what to remember: /remember TEXT.");
  const session = chat.runs.session.id;
  const signal = AbortSignal.timeout(maxListingMs);
  const remembered = await rememberText({ text, session, isVerbatim: true }, {}, cli, { signal, onWarning: () => {} });
  const { outcome, ids, file, refused } = remembered;
  if (outcome === "refused") return ["Nothing is remembered.", ...refused].join(" ");
  if (outcome === "known") return `This is remembered already, as ${ids.join(", ")}.`;
  return `Remembered as ${ids.join(", ")} in ${file}. "bridle memory forget ${ids[0]}" forgets it.`;
}

const strategies = ["drop-tool-results", "summarise"] as const;

async function compact(word: string | undefined, { runs }: OpenChat): Promise<string> {
  const strategy = word === undefined ? strategies[0] : strategies.find((each) => each === word);
  if (strategy === undefined) {
    const near = suggestion(word ?? "", strategies);
    throw new InvalidRequestError(`Unknown strategy "${word}".${near} Known: ${strategies.join(", ")}.`);
  }
  const before = runs.session.history().length;
  const isShorter = await runs.session.compact(strategy);
  if (!isShorter) {
    const other = strategy === "summarise" ? "" : ' "/compact summarise" lets the model summarise it.';
    return `${strategy} cannot shorten this session.${other}`;
  }
  runs.markAhead();
  return `Compacted (${strategy}): the next runs get ${runs.session.history().length} messages instead of ${before}.`;
}
