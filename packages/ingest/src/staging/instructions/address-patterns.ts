/** Patterns for text that talks to a model, or gives it another role. */
import { type InstructionPattern, instructionPatterns, opening, upTo } from "./instruction-pattern.ts";

const machine = String.raw`(?:a\.?i\.?(?: (?:assistants?|agents?|models?|systems?|readers?|tools?|bots?))?|llms?|(?:large )?language models?|chat ?bots?|claude|chatgpt|gpt(?:-?\d\w*)?|gemini|copilot|mistral|llama|summari[sz]ers?)`;
const reader = `(?:the |any |all |every |each |whichever |this |that )?(?:reader['’]?s? )?${machine}`;
/** Matches "assistant", but not "assistant manager", who is a person. */
const assistant = `assistants?(?! (?:manager|director|professor|coach|store|driver|captain|teacher|nurse|cook)s?)`;

const addresses = instructionPatterns("addresses an assistant", [
  String.raw`\b(?:dear|hey|hello|hi|attention|attn|listen),? (?:${machine}|${assistant})\b`,
  String.raw`\b(?:notes?|messages?|instructions?|memos?|hints?|warnings?|reminders?|directives?|info(?:rmation)?|guidance|notice|important|attention)\s*(?:to|for|:)\s*${reader}\b(?! (?:team|department|project|group|squad|budget))`,
  String.raw`\b(?:notes?|messages?|instructions?) (?:to|for) (?:the |any )?${assistant}(?:\s*[:,]| (?:reading|that reads|who reads|processing))`,
  String.raw`${opening}\W{0,4}${assistant}\s*[,:]\s*(?:please|you|ignore|do|don|remove|delete|write|add|call|use|run|send|note that|remember)\b`,
  String.raw`\b(?:if|when|since|because|as) you(?: are|['’]re) (?:an? |the |any )?(?:${machine}|assistant|automated (?:agent|system|assistant))\b`,
  String.raw`\byou are (?:now )?(?:an? |the )?(?:helpful |new |different |unrestricted |evil |obedient )?(?:${machine}|assistant)\b(?! (?:manager|director))`,
  String.raw`\bas (?:an?|the) (?:${machine}|assistant)\b,?${upTo(20)}\b(?:you|your|must|should|shall|please)\b`,
  String.raw`\bas an a\.?i\.?(?: (?:language )?(?:model|assistant))?\b`,
  String.raw`\b${machine},? (?:must|shall|please|reading this|processing this|that reads? this|who reads? this|indexing this|parsing this)\b`,
  String.raw`\b(?:whoever|whatever|any agent|any assistant|the agent|the assistant|agents?|assistants?) (?:that |who |which )?(?:reads?|reading|process(?:es|ing)?|summari[sz](?:es?|ing)|index(?:es|ing)|ingest(?:s|ing)?) (?:this|it|the (?:document|page|text))\b${upTo(40)}\b(?:must|should|shall|has to|please|is to|are to|will)\b`,
  // Other languages.
  String.raw`\b(?:als ki(?:-\p{L}+)?|als sprachmodell|liebe ki|achtung ki|en tant qu['’]ia|en tant que modele|como (?:una? )?(?:ia|modelo de (?:lenguaje|linguagem))|come (?:una )?(?:ia|modello linguistico)|als ai-assistent|som (?:en )?ai-(?:assistent|modell))\b`,
  String.raw`\b(?:du bist (?:jetzt |nun )?(?:ein|eine) (?:ki|assistent\p{L}*|sprachmodell)|tu es (?:maintenant |desormais )?(?:un assistant|une ia)|eres (?:ahora )?(?:un asistente|una ia)|voce (?:agora )?e (?:um assistente|uma ia)|sei (?:ora )?(?:un assistente|una ia))\b`,
  String.raw`ты (?:теперь )?(?:ии|ассистент|языковая модель)|как ии\b|あなたは(?:今|いま)?(?:ai|アシスタント|人工知能)|你(?:现在)?是(?:一个)?[^。\n]{0,8}(?:ai|人工智能|助手)|당신은 (?:이제 )?(?:ai|인공지능|어시스턴트)|(?:ai|アシスタント)(?:へ|への|に)(?:の)?(?:指示|注意)`,
  String.raw`\bhinweis (?:fur|an) (?:die |das |den |alle )?(?:ki|sprachmodell|assistenten)\b|\b(?:note|consigne|instructions?) (?:pour|a) (?:l['’]ia|l['’]assistant|le modele)\b|\b(?:nota|aviso|instruc\p{L}+) (?:para|a) (?:la ia|el asistente|o assistente|a ia)\b`,
]);

const roles = instructionPatterns("gives another role", [
  String.raw`\byou are now (?:in )?(?:an? )?(?:dan|root|jailbroken|unrestricted|unfiltered|developer|free (?:of|from)|no longer)\b`,
  String.raw`\b(?:act|behave|respond|answer) as (?:if you (?:were|had)|an? (?:unrestricted|unfiltered|different|evil|uncensored)|dan\b|${machine})`,
  String.raw`\bpretend (?:that )?(?:to be|you(?:['’]re| are| have| were))\b`,
  String.raw`\b(?:enter|enable|activate|switch to|you are in) (?:the )?(?:developer|debug|god|admin|maintenance|sudo|jailbreak|dan) mode\b(?=.{0,60}\b(?:you|your|and|now)\b|\W*$)`,
  String.raw`\bdo anything now\b|\bjailbreak\b|\bgod mode\b`,
  String.raw`\bfrom now on,? (?:you (?:are|will (?:act|answer|respond|obey|ignore)|only answer)|answer|respond|reply) `,
  String.raw`\byou (?:have|are given|now have) (?:full|unrestricted|root|admin(?:istrator)?) (?:access|rights|permissions?|privileges)\b${upTo(60)}\b(?:ignore|delete|drop|remove|tool|instructions?)\b`,
]);

const conceals = instructionPatterns("hides from people", [
  String.raw`\b(?:do not|don['’]?t|never|without) (?:tell(?:ing)?|inform(?:ing)?|alert(?:ing)?|notify(?:ing)?|mention(?:ing)? (?:this|it|that) to|reveal(?:ing)? (?:this|it) to|ask(?:ing)?) (?:the |your |any )?(?:user|human|operator|reviewer)s?\b(?: (?:about|that you|of|for)\b|\W*$|[.,;])`,
  String.raw`\b(?:keep|hide) (?:this|these) (?:instructions?|message|note|prompt)s? (?:secret|hidden|from|to yourself|confidential)\b`,
]);

export const addressPatterns: readonly InstructionPattern[] = [...addresses, ...roles, ...conceals];
