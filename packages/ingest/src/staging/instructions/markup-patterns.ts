/** Patterns for marks that separate the parts of a prompt, which a document does not need. */
import { type InstructionPattern, instructionPatterns, opening } from "./instruction-pattern.ts";

const imperatives =
  "ignore|disregard|forget|remove|delete|drop|write|create|add|call|use|run|execute|send|reveal|print|output|reply|respond|answer|you|your|new|override|the assistant|assistant|from now|treat|mark|follow|do not|don['’]?t|always|never";

export const markupPatterns: readonly InstructionPattern[] = instructionPatterns("imitates a prompt", [
  String.raw`<\|[a-z_]{2,30}\|>|<\|im_(?:start|end)`,
  String.raw`\[/?(?:inst|sys(?:tem)?|system message|assistant|user message|tool_call)\]|<</?sys>>`,
  String.raw`</?(?:system|system[-_](?:reminder|prompt|message)|assistant|human|tool|tool[-_](?:call|use|result|response)s?|function[-_](?:call|calls|result|results)|invoke|instructions?|prompt|context|untrusted|data-[0-9a-f]{8}|p\d+-[0-9a-f]{8})(?:\s[^>\n]{0,80})?>`,
  `</(?:document|documents|user|page|source|passage|content|text|data|message|input)>`,
  String.raw`${opening}[\W_]{0,6}system(?: (?:message|prompt|override|notice|note|instruction|update|alert))?[\W_]{0,3}[:：]\s*.{0,80}?\b(?:${imperatives})\b`,
  String.raw`^[\W_]{0,6}(?:###|---|===)\s*(?:system|assistant|instructions? (?:for|to) the (?:assistant|model|ai)|new instructions?|end of (?:document|prompt|input|context|data))\b`,
  String.raw`\b(?:begin|start|end)(?:ning)? (?:of )?(?:the )?(?:system prompt|user input|untrusted (?:data|input)|instructions? block)\b`,
  String.raw`${opening}[\W_]{0,4}(?:human|assistant)\s*:\s*(?:ignore|disregard|sure|certainly|i will|i'll|ok|please|${imperatives})\b`,
]);
