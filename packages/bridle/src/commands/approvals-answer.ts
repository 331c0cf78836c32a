import { createPermissionStore, findPermissionFiles } from "@bridle/project";
import {
  type ApprovalAnswer,
  type ApprovalStore,
  approvalScopes,
  type OpenApproval,
  type StoredAnswerResult,
  suggestion,
  toRemembered,
} from "@bridle/protocol";
import { z } from "zod";
import { personOf } from "../approval/person-of.ts";
import { checkDecision, readInput, readPattern } from "../approval/read-answer.ts";
import type { Cli } from "../cli/cli.ts";
import { defineCommand } from "../cli/command.ts";
import { exitCodes } from "../cli/exit-codes.ts";
import { UsageError } from "../cli/usage-error.ts";
import { recordFlags, withRecord } from "../record/open-record.ts";

const text = z.string().min(1);

export const approvalsAnswerCommand = defineCommand({
  description: `Answer a question about a call, from any process. The first answer counts.
Where its run waits, it goes on; where its process died, the session's next run is told.`,
  notes: `Exit codes:
  0 the answer was taken, 1 the question was settled before and nothing was changed,
  2 no such question, or another fault of usage, 3 the record failed`,
  operand: { name: "id", description: 'the question, as "bridle approvals list" shows it' },
  secondOperand: { name: "decision", description: "allow, deny, or deny-and-stop, which ends the run" },
  flags: {
    scope: {
      flag: "--scope <scope>",
      description: "how long it holds for calls of the tool: once (default), session, project, always",
      value: z.enum(approvalScopes),
    },
    when: {
      flag: "--when <field=pattern>",
      description: "for which inputs it holds, where that is for longer than once; several as a JSON object",
      value: text,
      expected: "a field and a regular expression",
    },
    message: { flag: "--message <text>", description: "told to the model", value: text, expected: "a text" },
    input: {
      flag: "--input <json>",
      description: "run the call with this input instead; @file reads it from a file",
      value: text,
      expected: "JSON",
    },
    json: { flag: "--json", description: "print what became of the answer as JSON", value: z.boolean() },
    ...recordFlags,
  },
  examples: [
    "bridle approvals answer approval_0c6f1d9b2a7e4f8035d1c9aa allow",
    'bridle approvals answer approval_0c6f1d9b2a7e4f8035d1c9aa deny --message "Not on a Friday."',
    "bridle approvals answer approval_0c6f1d9b2a7e4f8035d1c9aa allow --scope project --when statement=^select",
    "bridle approvals answer approval_0c6f1d9b2a7e4f8035d1c9aa allow --input @input.json",
  ],
  async run({ operands: [id, decision], flags: { scope, when, message, input, json = false, ...flags } }, cli) {
    if (id === undefined) throw new UsageError('The id is missing. "bridle approvals list" shows them.');
    const by = personOf(cli.environment) ?? "somebody on the command line";
    const answer: ApprovalAnswer = {
      decision: checkDecision(decision),
      ...(scope !== undefined && { scope }),
      ...(when !== undefined && { when: readPattern(when) }),
      ...(message !== undefined && { message }),
      ...(input !== undefined && { input: await readInput(input, cli.cwd) }),
      by,
    };
    return withRecord(flags, cli, async ({ approvals }) => {
      const asked = approvals.open().find((each) => each.id === id);
      const receipt = approvals.answer(id, { ...answer, inputHash: asked?.inputHash ?? "" });
      if (receipt.outcome === "unknown") throw unknown(id, approvals);
      if (receipt.outcome === "ended" && asked) await remember(asked, answer, flags, cli);
      tell(id, receipt, json, cli);
      return receipt.accepted ? exitCodes.natural : exitCodes.otherwise;
    });
  },
});

function unknown(id: string, approvals: ApprovalStore): UsageError {
  const ids = approvals.open().map((each) => each.id);
  return new UsageError(`No question "${id}" is on record.${suggestion(id, ids)} See "bridle approvals list".`);
}

/** No run follows that would keep it. */
async function remember(
  { tool, everyTime }: OpenApproval,
  answer: ApprovalAnswer,
  where: { projectDir?: string; namespace?: string },
  { cwd, environment }: Cli,
): Promise<void> {
  const { scope = "once", decision } = answer;
  if ((scope !== "project" && scope !== "always") || (everyTime && decision === "allow")) return;
  const files = findPermissionFiles({ cwd, environment, ...where });
  await createPermissionStore(files).add(toRemembered(tool, answer, scope, Date.now()));
}

function tell(
  id: string,
  { accepted, outcome, message }: StoredAnswerResult,
  json: boolean,
  { stdout, stderr }: Cli,
): void {
  if (json) stdout.write(`${JSON.stringify({ id, accepted, outcome, message }, undefined, 2)}\n`);
  else if (accepted) stdout.write(`${message}\n`);
  else stderr.write(`${message}\n`);
}
