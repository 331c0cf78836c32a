/** The rules of the project: reading them, changing them, and previewing the effect of a change on recorded calls. */
import { resolve } from "node:path";
import {
  areAtLeastAsStrict,
  countFromOne,
  describeRules,
  findRuleProblems,
  parseRules,
  previewRules,
  type RuleNames,
  type Rules,
  readRuleNames,
  readRulesText,
  replaceRules,
  requireUsableRules,
  ruleFileSchema,
  rulePreviewSchema,
  rulesSchema,
  unifiedLines,
  writeRulesText,
} from "@bridle/app/rules";
import type { Workspace } from "@bridle/app/serving";
import { noteTrust } from "@bridle/app/trust";
import { z } from "zod";
import { RequestProblem } from "../http/problem.ts";
import { defineRoute, type Route } from "../http/route.ts";
import { reply, replyRedacted, requireVersion, toVersion } from "./replies.ts";

const read = defineRoute({
  method: "GET",
  path: "/rules",
  summary:
    "The rules in bridle.yaml in evaluation order, with warnings about names that no agent has. Send the ETag to change the rules.",
  role: "viewer",
  replies: { 200: ruleFileSchema },
  async handle({ workspace: { context } }) {
    const text = await readRulesText(context);
    const warnings = await findRuleProblems(text, context.project);
    return reply({ ...describeRules(text, context), warnings }, 200, { etag: toVersion(text ?? "") });
  },
});

const rules = rulesSchema
  .nullable()
  .describe("As the key policy of bridle.yaml. null: no rules, so every tool may run.");

const change = defineRoute({
  method: "PUT",
  path: "/rules",
  summary:
    "Replaces the rules in bridle.yaml, for runs that begin afterwards. A new name that no agent has is refused.",
  role: "operator",
  body: z.strictObject({ rules }),
  replies: { 200: ruleFileSchema },
  async handle({ workspace, headers, body }) {
    const { context } = workspace;
    refuseNamespace(context);
    const text = await readRulesText(context);
    requireVersion(headers, toVersion(text ?? ""));
    const names = await readRuleNames(context.project);
    const changed = replaceRules(text, body.rules, names.isUnknown);
    const warnings = requireNames(names, body.rules, text);
    await requireUsableRules(changed, workspace.agents.list(), context, workspace.rehearse);
    requireVersion(headers, toVersion((await readRulesText(context)) ?? "")); // the checks took a while
    const { projectDir } = context.project;
    const files = workspace.agents
      .list()
      .flatMap(({ file }) => (file === undefined ? [] : [resolve(projectDir, file)]));
    const trust = await noteTrust(files, { ...context, cwd: projectDir });
    await writeRulesText(changed, context);
    if (areAtLeastAsStrict(parseRules(changed), parseRules(text))) await trust.keep();
    await workspace.adoptRules();
    return reply({ ...describeRules(changed, workspace.context), warnings }, 200, { etag: toVersion(changed) });
  },
});

/**
 * Throws ConfigError for a name that no tool has, unless the file already contains the name: a change may keep old mistakes, but not add
 * new ones.
 */
function requireNames(names: RuleNames, changed: Rules | null, text: string | undefined): readonly string[] {
  try {
    return names.require(changed, parseRules(text));
  } catch (error) {
    throw countFromOne(error);
  }
}

/** Rejects users with a namespace, because all users of the server share the file. */
function refuseNamespace({ project }: Workspace["context"]): void {
  if (project.namespace === undefined) return;
  const detail = "The rules of the project are the same for all users of this server. Change them in its bridle.yaml.";
  throw new RequestProblem(403, "shared-rules", detail);
}

const preview = defineRoute({
  method: "POST",
  path: "/rules/preview",
  summary: "Shows how other rules would decide on the newest recorded calls. Changes nothing.",
  role: "operator", // evaluating the expressions in a policy takes time on the server
  body: z.strictObject({
    rules,
    over: z.int().min(1).max(1000).optional().describe("The number of calls. Default: 100."),
  }),
  replies: { 200: rulePreviewSchema },
  async handle({ workspace: { context, eventLog }, body }) {
    const text = await readRulesText(context);
    const names = await readRuleNames(context.project);
    const changed = replaceRules(text, body.rules, names.isUnknown);
    requireNames(names, body.rules, text);
    const calls = await previewRules(eventLog, {
      before: parseRules(text),
      after: body.rules ?? undefined,
      max: body.over ?? 100,
    });
    const diff = unifiedLines((text ?? "").split("\n"), changed.split("\n")).join("\n");
    return replyRedacted({ context }, { diff, calls, changed: calls.filter(({ isChanged }) => isChanged).length });
  },
});

export const ruleRoutes: readonly Route[] = [read, change, preview];
