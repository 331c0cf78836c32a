import { type Cli } from "../command-line/cli.ts";
import { UsageError } from "@bridle/app";
import { withRecord } from "@bridle/app/events";
import { newestSession, requireSession, listSessions } from "@bridle/app/sessions";
import { formatSessions } from "../commands/sessions/format-sessions.ts";
import { pageOf } from "../terminal/output-page.ts";
import { type ChatPlan } from "@bridle/app/runs";

/** Opens the chat that fits where it runs: a picture on a terminal, lines on a simple one, one answer in a pipe. */
export async function openChat(wanted: ChatPlan, cli: Cli): Promise<number> {
  const plan = { ...wanted, ...(await chooseSession(wanted, cli)) };
  const { terminal, environment } = cli;
  if (terminal && !plan.json && environment.TERM !== "dumb") {
    const { runChat } = await import("./run-chat.ts");
    return runChat(plan, cli, terminal);
  }
  const { runPlainChat } = await import("./plain-chat.ts");
  return runPlainChat(plan, cli);
}

/** The session to go on with, if any. Throws ConfigError for one that is not on record, and UsageError without a choice. */
async function chooseSession(plan: ChatPlan, cli: Cli): Promise<Pick<ChatPlan, "resume">> {
  const { resume } = plan;
  if (resume === undefined) return {};
  const id = await withRecord(plan, cli, async (record) => {
    if (resume === "newest") return newestSession(record);
    return resume === "choose" ? choose(record, cli) : requireSession(record, resume.id);
  });
  return { resume: { id } };
}

const mostSessions = 9;

async function choose(record: Parameters<typeof listSessions>[0], cli: Cli): Promise<string> {
  const newest = newestSession(record);
  const { readLine, stderr } = cli;
  if (!readLine) throw new UsageError(`--resume needs the id of a session here. The newest is ${newest}.`);
  const { sessions } = listSessions(record, { last: mostSessions });
  for (const [index, session] of sessions.entries()) {
    stderr.write(`${index + 1}. ${formatSessions({ sessions: [session] }, pageOf({ ...cli, stdout: stderr }))}`);
  }
  stderr.write("Number (Enter: 1) › ");
  const line = (await readLine(AbortSignal.timeout(longestChoiceMs)))?.trim();
  const chosen = line === "" ? sessions[0] : sessions[Number(line) - 1];
  if (chosen) return chosen.id;
  throw new UsageError("No session was chosen. Name one after --resume, or type its number.");
}

/** Nobody sits there any more. */
const longestChoiceMs = 600_000;
