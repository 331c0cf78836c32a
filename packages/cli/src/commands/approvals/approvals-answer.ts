import { UsageError } from "@bridle/app";
import { answerApproval, approvalScopes, userName } from "@bridle/app/approvals";
import { withEventLog } from "@bridle/app/events";
import { withProject } from "@bridle/app/project";
import { omitUndefined } from "@bridle/protocol";
import { z } from "zod";
import { defineCommand } from "../../command/command.ts";
import { exitCodes } from "../../command/exit-codes.ts";
import { jsonFlag, projectFlags } from "../../command/project-flags.ts";
import { printJson } from "../../terminal/print-sentence.ts";
import { toPrintable } from "../../terminal/printable.ts";
import { checkDecision, readInput, readPattern } from "./read-answer.ts";

const text = z.string().min(1);
const exampleId = "approval_0c6f1d9b2a7e4f8035d1c9aa";

export const approvalsAnswerCommand = defineCommand({
  description: `Allow or deny a tool call that is waiting for approval, from any process. The first answer counts.
If the run is still waiting, it continues. If its process died, the session's next run receives the answer.`,
  notes: `Exit codes:
  0 the answer was accepted, 1 the request was already settled and nothing changed,
  2 invalid command line, 3 no such request, or the event log failed`,
  operand: { name: "id", description: 'the id from "bridle approvals list"' },
  secondOperand: { name: "decision", description: "allow, deny, or deny-and-stop, which also ends the run" },
  flags: {
    scope: {
      flag: "--scope <scope>",
      description: "how long the answer applies to this tool: once (default), session, project, always",
      value: z.enum(approvalScopes),
    },
    when: {
      flag: "--when <field=pattern>",
      description: "limit a scope longer than once to matching inputs; for several fields, a JSON object",
      value: text,
      expected: "a field and a regular expression",
    },
    message: { flag: "--message <text>", description: "send this text to the model", value: text, expected: "a text" },
    input: {
      flag: "--input <json>",
      description: "run the call with this input instead; @file reads it from a file",
      value: text,
      expected: "JSON",
    },
    json: jsonFlag,
    ...projectFlags,
  },
  examples: [
    `bridle approvals answer ${exampleId} allow`,
    `bridle approvals answer ${exampleId} deny --message "Not on a Friday."`,
    `bridle approvals answer ${exampleId} allow --scope project --when statement=^select`,
    `bridle approvals answer ${exampleId} allow --input @input.json`,
  ],
  async run({ operands: [id, word], flags }, cli) {
    if (id === undefined) throw new UsageError('The id is missing. "bridle approvals list" shows the ids.');
    const { scope, message } = flags;
    const decision = checkDecision(word);
    const when = flags.when === undefined ? undefined : readPattern(flags.when);
    const input = flags.input === undefined ? undefined : await readInput(flags.input, cli.cwd);
    const by = userName();
    const answer = { decision, by, ...omitUndefined({ scope, when, message, input }) };
    const context = await withProject(flags, cli);
    const answered = await withEventLog(context, (eventLog) =>
      answerApproval(id, answer, eventLog, context.project.permissions()),
    );
    if (flags.json) printJson(answered, cli.stdout);
    else (answered.accepted ? cli.stdout : cli.stderr).write(`${toPrintable(answered.message)}\n`);
    return answered.accepted ? exitCodes.natural : exitCodes.otherwise;
  },
});
