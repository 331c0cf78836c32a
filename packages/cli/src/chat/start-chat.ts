import { UsageError } from "@bridle/app";
import { withEventLog } from "@bridle/app/events";
import type { AgentChatPlan } from "@bridle/app/runs";
import { listSessions, newestSession, requireSession } from "@bridle/app/sessions";
import { requirePlanTrust } from "@bridle/app/trust";
import type { EventLog } from "@bridle/protocol";
import type { ProjectCli } from "../command/cli.ts";
import type { ChatOptions } from "../commands/chat/chat-options.ts";
import { formatSessions } from "../commands/sessions/format-sessions.ts";
import { stdoutPage } from "../terminal/stdout-page.ts";

/** Starts the chat in the form that the output allows: a screen on a terminal, lines on a simple terminal, one answer in a pipe. */
export async function startChat({ plan: given, json, resume }: ChatOptions, cli: ProjectCli): Promise<number> {
  await requirePlanTrust(given, cli);
  const plan: AgentChatPlan = { ...given, sessionId: await chooseSession(resume, cli) };
  const { terminal, environment } = cli;
  if (terminal && !json && environment.TERM !== "dumb") {
    const { runChat } = await import("./run-chat.ts");
    return runChat(plan, cli, terminal);
  }
  const { runPlainChat } = await import("./plain-chat.ts");
  return runPlainChat(plan, json, cli);
}

/** Returns the session to resume. Throws ConfigError if the project does not have it, and UsageError if the user chooses none. */
async function chooseSession(resume: ChatOptions["resume"], cli: ProjectCli): Promise<string | undefined> {
  if (resume === undefined) return undefined;
  return withEventLog(cli, async (eventLog) => {
    if (resume === "newest") return newestSession(eventLog);
    return resume === "choose" ? askForSession(eventLog, cli) : requireSession(eventLog, resume.id);
  });
}

const maxSessions = 9;
/** How long to wait for the user's choice, in milliseconds. After this time, the user is assumed to be away. */
const maxChoiceMs = 600_000;

async function askForSession(eventLog: EventLog, cli: ProjectCli): Promise<string> {
  const newest = await newestSession(eventLog);
  const { readLine, stderr } = cli;
  if (!readLine)
    throw new UsageError(`Without a terminal, --resume needs the id of a session. The newest is ${newest}.`);
  const { sessions } = await listSessions(eventLog, { last: maxSessions });
  for (const [index, session] of sessions.entries()) {
    stderr.write(`${index + 1}. ${formatSessions({ sessions: [session] }, stdoutPage({ ...cli, stdout: stderr }))}`);
  }
  stderr.write("Number (Enter: 1) › ");
  const line = (await readLine(AbortSignal.timeout(maxChoiceMs)))?.trim();
  const chosen = line === "" ? sessions[0] : sessions[Number(line) - 1];
  if (chosen) return chosen.id;
  throw new UsageError("No session was chosen. Type its number, or name a session after --resume.");
}
