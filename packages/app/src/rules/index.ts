/**
 * The rules of a project for tool calls: reading them, changing them, and previewing the effect of a change on recorded calls.
 */
export { unifiedLines } from "@bridle/testing";
export { type AgentRules, agentRulesSchema, describeAgentRules } from "./agent-rules.ts";
export { countFromOne, describeRules, parseRules, readRulesText, replaceRules, writeRulesText } from "./edit-rules.ts";
export { findRuleProblems, type RuleNames, readRuleNames } from "./known-names.ts";
export { type PreviewRulesOptions, previewRules } from "./preview-rules.ts";
export { requireUsableRules } from "./require-usable.ts";
export {
  type ReplayedCall,
  type RuleFile,
  type RulePreview,
  type Rules,
  ruleFileSchema,
  rulePreviewSchema,
  rulesSchema,
} from "./rule-schemas.ts";
export { areAtLeastAsStrict } from "./stricter-rules.ts";
