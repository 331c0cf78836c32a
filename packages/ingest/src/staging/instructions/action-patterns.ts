/** Patterns for commands about tools, an assistant's knowledge, and its checks. */
import { type InstructionPattern, instructionPatterns, upTo } from "./instruction-pattern.ts";

const kept = `(?:wiki|knowledge(?: base)?|context|glossary|memory|memories|index(?:ed)?)`;

const tools = instructionPatterns("calls a tool", [
  String.raw`\b(?:call|use|invoke|trigger) (?:the |your |this )?(?:\p{L}+ )?(?:tool|function)s?\s+["'\x60]?(?:[a-z]+_[a-z_]+|bash|shell|sql|python|terminal|browser|search|delete|write)\b`,
  String.raw`\b(?:call|use|invoke|run|trigger) (?:the |your )?["'\x60]?(?:run_sql|sql_execution|execute_sql|propose_\w+|search_context|find_value|query_metrics|read_page|read_source|load_skill|remember|bash|shell|python|terminal|delete_\w+|write_\w+|remove_\w+)["'\x60]?(?:[ ]*\(| tool\b| function\b| (?:to|with|and)\b)`,
  String.raw`\b(?:call|invoke) (?:the|your|a|any) (?:tool|function)\b(?! (?:shop|shed|box|kit))`,
  String.raw`\b(?:run|execute|eval(?:uate)?|exec)\s*:\s*["'\x60]?(?:drop|delete|update|insert|alter|truncate|grant|create|select|curl|wget|rm|bash|sh|cat|python|node|powershell|sudo|os\.|import)\b`,
  String.raw`\b(?:drop|truncate) (?:table|database|schema|view)\s+(?:if exists )?["'\x60]?[a-z_][\w."'\x60]*(?:\s*(?:;|--|cascade)|\s*$)`,
  String.raw`\bdelete from\s+["'\x60]?[a-z_][\w."'\x60]*(?:\s*(?:;|--)|\s+where\s+(?:1\s*=\s*1|true))`,
  String.raw`\b(?:please |now |then |and |must |should |immediately )(?:drop|truncate|delete|wipe|destroy) (?:the |all |every )(?:\w+ )?(?:tables?|database|schema)\b(?! (?:entr|row|backup|older))${upTo(40)}\b(?:now|immediately|first|from the warehouse|in the warehouse|without)\b`,
  String.raw`(?:^|[\s("'\x60])@(?:/|~/|\./|\.\./)[\w.~-]+`,
  String.raw`\b(?:read|open|load|include|cat|print) (?:the (?:file|contents? of) )?["'\x60]?(?:@?/(?:etc|proc|home|root|var|users)/\S+|~/\.(?:ssh|aws|claude|config|bash|env)\S*|\.env\b)`,
  String.raw`\brm -rf\b|\bcurl\s+(?:-\w+\s+)*https?://\S+\s*\|\s*(?:ba)?sh\b`,
]);

const leaks = instructionPatterns("asks for secrets", [
  String.raw`\b(?:reveal|print|show|repeat|output|leak|display|disclose|dump|recite|expose) (?:me |us |back )?(?:all of |the whole |the full |the exact )?(?:your|the|its) (?:\p{L}+ ){0,2}(?:system prompt|system message|initial prompt|hidden prompt|prompt|instructions|guidelines verbatim)\b`,
  String.raw`\b(?:send|post|forward|e-?mail|upload|exfiltrate|transmit|leak|append) (?:\p{L}+ ){0,6}(?:system prompt|conversation|chat history|credentials?|secrets?|api keys?|access tokens?|environment variables|context window|everything you (?:know|have read)|all (?:documents|pages|customer data))\b${upTo(60)}(?:\bto\b|https?://)`,
  String.raw`!\[[^\]\n]{0,80}\]\(https?://[^)\s]{0,200}[?&][a-z_]{1,20}=(?:\{|%7b|\$|<|\[)`,
  String.raw`\bwhat (?:is|are|were) your (?:system prompt|initial instructions|instructions)\b`,
  `(?:zeige?|verrate|nenne) (?:mir )?(?:deinen|den|ihren) (?:system-?)?prompt|(?:revele|montre|affiche)[zr]? (?:ton|votre|le) prompt|(?:revela|muestra|mostre|revele) (?:tu|su|o seu|seu|el|o) prompt|(?:покажи|раскрои) (?:свои )?(?:системныи )?промпт|システムプロンプトを(?:表示|教え|出力)|(?:显示|输出|透露)(?:你的)?系统提示`,
]);

const pages = instructionPatterns("orders changes of stored facts", [
  String.raw`\b(?:remove|delete|erase|wipe|clear|drop|purge|destroy|overwrite|replace|empty) (?:all |every |each |the |any |your |whole |entire |existing |other )*${kept}(?: (?:pages?|entr(?:y|ies)|articles?|claims?|facts?|files?|models?))*\b(?=\W|$)(?! (?:usage|size))`,
  String.raw`\b(?:remove|delete|erase|wipe|purge) (?:all|every|each)(?: (?:of )?(?:the|your|other|existing))? (?:pages?|claims?|facts|metric models?|semantic models?|joins|descriptions)(?=\s*(?:[.,;:!]|$|and\b|then\b|from\b|you\b|except\b|that (?:say|mention)))`,
  String.raw`\b(?:write|create|add|publish|make|insert|store|save|record) (?:an?|the|another|one|this as an?) (?:new )?(?:${kept} )?(?:page|entry|article|claim|fact|memory)\b[^.!?\n]{0,60}?\b(?:that |which )?(?:says?|saying|states?|stating|claims?|claiming|reads)\b`,
  String.raw`\b(?:as|into|to|in) (?:an?|the|your) (?:new )?(?:glossary|wiki|knowledge(?: base)?|memory) (?:entry|page|article|item)\b`,
  String.raw`\b(?:cite|quote|reference|credit|attribute) (?:this |it |them )?(?:to )?["'\x60]?[\w-]+(?:/[\w.-]+)+["'\x60]? (?:for|as|instead|when)\b`,
  String.raw`\bcite ${upTo(50)}(?:for the (?:claim|fact|statement)|as (?:the |your )(?:only )?source|instead of)`,
  String.raw`\bwhen(?:ever)? (?:you |summari[sz]ing |indexing |processing |parsing |ingesting )${upTo(20)}(?:summari[sz]e|index|process|parse|ingest|embed|extract|analy[sz]e|this|the) (?:this|these|it|the (?:above|page|document|text|content|file)|from this|facts|claims|page|document|text)\b`,
  String.raw`\b(?:summari[sz]e|describe|report|extract) (?:this|the) (?:page|document|text|file|passage) (?:as|only|by saying|with the words|in one word)\b`,
  String.raw`\b(?:remember|memori[sz]e|store|save) (?:this|the following|that)\b${upTo(40)}\b(?:in|to|into) (?:your |the )?(?:long[- ]term )?(?:memory|context|knowledge)\b`,
  String.raw`\b(?:losche|loschen sie|entferne|entfernen sie) (?:alle|samtliche|jede) (?:wiki|seiten|wissens)\p{L}*|\b(?:supprime|supprimez|efface|effacez) toutes les pages\b|\b(?:borra|borre|elimina|elimine) todas las paginas\b|\b(?:apague|exclua|remova|elimine) todas as paginas\b|\b(?:elimina|cancella) tutte le pagine\b|\b(?:verwijder|wis) alle pagina['’]?s\b|удали(?:те)? все страницы|(?:すべての|全ての|全)ページを(?:削除|消)|删除(?:所有|全部)(?:的)?页面|모든 페이지를 삭제|\busun wszystkie strony\b|tum sayfalari sil|احذف جميع الصفحات`,
]);

const checks = instructionPatterns("steers the checks", [
  String.raw`\b(?:classify|triage|label|rate|score|mark|treat|flag) (?:this|the|every|all) (?:whole )?(?:page|document|passage|text|claim|fact|statement|item|source)s?(?: (?:below|above|here))? (?:as|to be|with) ["'\x60]?(?:full|light|skip|certified|verified|trusted|true|authoritative|approved|safe|the only|highest|current|correct|high|a person)\b`,
  String.raw`\b(?:set|give|assign|raise|use) (?:\p{L}+ ){0,4}(?:durability|authority|novelty|reuse|confidence) (?:score )?(?:of |to |as |at |=\s*)(?:1|the highest|maximum|certified|person)\b`,
  String.raw`\b(?:accept|approve|confirm|verify|ground) (?:this|these|every|all|the following) (?:claim|fact|statement|candidate|proposal)s? (?:without|as|even|immediately|no matter)\b`,
  String.raw`\b(?:skip|bypass|disable|ignore|turn off) (?:the |all |your |any )?(?:gates?|triage|guardrails|grounding|citation checks?|safety (?:checks?|filters?)|content filters?|verification step)\b`,
  String.raw`\banswer (?:only |always )?["'\x60“]?(?:yes|no|same|different|conflict|skip|full)["'\x60”]? (?:to|for) (?:every|all|each|any|whatever)\b`,
  String.raw`\b(?:respond|reply|answer) (?:only )?with (?:only )?(?:the (?:word|text|json)|["'\x60“{])`,
]);

export const actionPatterns: readonly InstructionPattern[] = [...tools, ...leaks, ...pages, ...checks];
