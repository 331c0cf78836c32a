/** Patterns for `Ignore all previous instructions`, in many languages. */
import { type InstructionPattern, instructionPatterns, upTo } from "./instruction-pattern.ts";

interface OverrideWords {
  /** Words for "ignore", "disregard", "forget". */
  readonly verbs: string;
  /** Words for "all", "previous", "your". One of them is required, because `ignore the instructions on the label` is harmless. */
  readonly which: string;
  /** Words for a model's "instructions" and "rules". */
  readonly what: string;
}

const languages: Readonly<Record<string, OverrideWords>> = {
  english: {
    verbs: String.raw`\b(?:ignor(?:e|ing)|disregard(?:ing)?|forget(?:ting)?|override|overriding|overrule|bypass(?:ing)?|neglect|discard|(?:do not|don['’]?t|stop|never) (?:follow(?:ing)?|obey(?:ing)?)|pay no attention to|set aside|throw away)\b`,
    which: String.raw`\b(?:all|any|every|everything|previous|previously|prior|earlier|above|preceding|foregoing|your|system|original|initial|existing|current|developer|safety|other|rest of the)\b`,
    what: String.raw`\b(?:instructions?|directives?|prompts?|guidelines?|guardrails?|programming|system messages?)\b`,
  },
  german: {
    verbs: String.raw`\b(?:ignorier\p{L}*|missachte\p{L}*|vergiss|vergesst|vergessen sie|ubergeh\p{L}*|beachte\p{L}* nicht)`,
    which: String.raw`\b(?:alle|samtliche|bisherige|vorherige|vorige|fruhere|obige|deine|ihre|eure|vorangegangene)[nrsm]?\b`,
    what: String.raw`(?:anweisung|instruktion|vorgabe|richtlinie|prompt|systemnachricht)\p{L}*`,
  },
  french: {
    verbs: String.raw`\b(?:ignor(?:e|ez|er)|oubli(?:e|ez|er)|neglige[zr]?|ne (?:tiens|tenez) pas compte|fais abstraction|faites abstraction)\b`,
    which: String.raw`\b(?:toutes?|tous|precedentes?|anterieures?|tes|vos|ci-dessus)\b`,
    what: String.raw`\b(?:instructions?|consignes?|directives?|regles|prompts?)\b`,
  },
  spanish: {
    verbs: String.raw`\b(?:ignora(?:d|r)?|ignore|olvida(?:d|r)?|olvide|omite|descarta|haz caso omiso de|no hagas caso)\b`,
    which: String.raw`\b(?:todas?|todos?|anteriores?|previas?|previos|tus|sus)\b`,
    what: String.raw`\b(?:instruccion(?:es)?|indicaciones|directrices|reglas|prompts?|ordenes del sistema)\b`,
  },
  portuguese: {
    verbs: String.raw`\b(?:ignor(?:e|a|ar|em)|esquec(?:a|er|am)|desconsider(?:e|ar)|desrespeite)\b`,
    which: String.raw`\b(?:todas?|todos?|anteriores?|previas?|suas|tuas|acima)\b`,
    what: String.raw`\b(?:instruc(?:oes|ao)|orientacoes|diretrizes|regras|prompts?)\b`,
  },
  italian: {
    verbs: String.raw`\b(?:ignora(?:re|te)?|dimentica(?:re|te)?|trascura|non seguire|tralascia)\b`,
    which: String.raw`\b(?:tutte|tutti|precedenti|tue|sue|vostre)\b`,
    what: String.raw`\b(?:istruzioni|direttive|regole|prompt|indicazioni)\b`,
  },
  dutch: {
    verbs: String.raw`\b(?:negeer|negeren|vergeet|sla)\b`,
    which: String.raw`\b(?:alle|vorige|eerdere|voorgaande|bovenstaande|je|jouw|uw)\b`,
    what: String.raw`\b(?:instructies?|aanwijzingen|richtlijnen|prompts?|opdrachten)\b`,
  },
  scandinavian: {
    verbs: String.raw`\b(?:ignorera|ignorer|glom|glem|bortse fran|se bort fra|unohda|ohita|jata huomiotta)\b`,
    which: String.raw`\b(?:alla|alle|tidigare|tidligere|foregaende|forrige|dina|dine|kaikki|aiemmat|edelliset)\b`,
    what: String.raw`(?:\b(?:instruktion|anvisning|instruks|riktlinje|retningslinje)\p{L}*|\bohjeet\b)`,
  },
  polish: {
    verbs: String.raw`\b(?:zignoruj|ignoruj|zapomnij|pomin|nie przestrzegaj)\b`,
    which: String.raw`\b(?:wszystkie|wszystkich|poprzednie|poprzednich|wczesniejsze|wczesniejszych|swoje|swoich|twoje)\b`,
    what: String.raw`\b(?:instrukcj|polece|wytyczn|prompt)\p{L}*`,
  },
  czech: {
    verbs: String.raw`\b(?:ignoruj(?:te)?|zapomen(?:te)?|zapomeň(?:te)?|zabudni(?:te)?|nedodrzuj)\b`,
    which: String.raw`\b(?:vsechny|vsetky|predchozi|predchadzajuce|predosle|sve|svoje|tve)\b`,
    what: String.raw`\b(?:pokyny|instrukce|instrukcie|prikazy)\b`,
  },
  russian: {
    verbs: `(?:игнорируи|проигнорируи|забудь|не следуи|не обращаи внимания на|отмени)(?:те)?`,
    which: String.raw`(?:все|всеми|предыдущи|прежни|прошлы|свои|твои|ваши|предшествующи)\p{L}*`,
    what: String.raw`(?:инструкци|указани|правил|промпт|команд)\p{L}*`,
  },
  ukrainian: {
    verbs: `(?:ігноруи|проігноруи|забудь)(?:те)?|ігноруите`,
    which: String.raw`(?:усі|всі|попередні|свої|твої)\p{L}*`,
    what: String.raw`(?:інструкці|вказівк|правил)\p{L}*`,
  },
  turkish: {
    verbs: String.raw`(?:yok say|unut|gormezden gel|dikkate alma|goz ardi et)\p{L}*`,
    which: `(?:onceki|tum|butun|yukaridaki|eski)`,
    what: String.raw`(?:talimat|yonerge|komut|kural)\p{L}*`,
  },
  greek: {
    verbs: `(?:αγνοησε|αγνοηστε|ξεχασε|ξεχαστε)`,
    which: String.raw`(?:ολες|προηγουμεν|ολους)\p{L}*`,
    what: String.raw`(?:οδηγι|εντολ|κανον)\p{L}*`,
  },
  romanian: {
    verbs: String.raw`\b(?:ignora|ignorati|uita|uitati)\b`,
    which: String.raw`\b(?:toate|anterioare|precedente|tale)\b`,
    what: String.raw`\b(?:instructiuni\p{L}*|indicatii\p{L}*|regulile)\b`,
  },
  hungarian: {
    verbs: `(?:hagyd figyelmen kivul|felejtsd el|felejts el)`,
    which: String.raw`(?:minden|osszes|korabbi|elozo)\p{L}*`,
    what: String.raw`(?:utasitas|szabaly)\p{L}*`,
  },
  japanese: {
    verbs: "(?:無視|忘れ|従わな)",
    which: "(?:以前|これまで|上記|前|すべて|全て|あらゆる)",
    what: "(?:指示|命令|プロンプト|インストラクション)",
  },
  chinese: {
    verbs: "(?:忽略|无视|無視|忘记|忘記|忘掉|不要遵守|不要遵循|忽視)",
    which: "(?:之前|以前|以上|上述|先前|所有|全部|前面)",
    what: "(?:指令|指示|提示词|提示詞|命令|說明|说明)",
  },
  korean: {
    verbs: "(?:무시|잊어|따르지)",
    which: "(?:이전|위의|모든|앞의|기존)",
    what: "(?:지시|명령|프롬프트|지침)",
  },
  arabic: {
    verbs: "(?:تجاهل|انس|اهمل)",
    which: "(?:جميع|كل|السابقة|أعلاه|سابقة)",
    what: "(?:التعليمات|الأوامر|الإرشادات|تعليمات)",
  },
  hebrew: { verbs: "(?:התעלם|התעלמי|שכח)", which: "(?:כל|הקודמות|מכל)", what: "(?:ההוראות|הוראות)" },
  hindi: { verbs: "(?:अनदेखा|नज़रअंदाज़|नजरअंदाज|भूल)", which: "(?:पिछले|सभी|पहले|उपरोक्त)", what: "(?:निर्देश|आदेश)" },
  indonesian: {
    verbs: String.raw`\b(?:abaikan|lupakan)\b`,
    which: String.raw`\b(?:semua|sebelumnya|di atas)\b`,
    what: String.raw`\b(?:instruksi|perintah|petunjuk|arahan)\b`,
  },
  vietnamese: {
    verbs: `(?:bo qua|phot lo|quen)`,
    which: `(?:tat ca|moi|truoc|o tren)`,
    what: `(?:huong dan|chi dan|chi thi|lenh)`,
  },
  thai: { verbs: "(?:เพิกเฉย|ละเว้น|ลืม|ไม่ต้องสนใจ)", which: "(?:ก่อนหน้า|ทั้งหมด)", what: "(?:คำสั่ง|คำแนะนำ)" },
};

/** The three kinds of words may be in any order, close to each other in one sentence. */
const orders = Object.values(languages).flatMap(({ verbs, which, what }) =>
  instructionPatterns(
    "overrides instructions",
    [
      verbs + upTo(40) + which + upTo(40) + what,
      verbs + upTo(40) + what + upTo(25) + which,
      which + upTo(30) + what + upTo(30) + verbs,
    ],
    [verbs, what],
  ),
);

const english = [
  // Rules and policies are those of the business, unless the text calls them the reader's.
  String.raw`\b(?:ignore|disregard|forget|break|bypass|violate) (?:all |any )?(?:of )?your (?:\p{L}+ )?(?:rules|policy|policies|constraints|restrictions|training|limits|limitations|role)\b`,
  String.raw`\b(?:ignore|disregard|forget) (?:everything|all|anything) (?:that (?:was|came|is)|said|written|you (?:were|have been)|above|before|prior)\b`,
  String.raw`\b(?:ignore|disregard|forget)(?:all|any|the|your|my)*(?:previous|prior|above|earlier)+(?:instructions|prompts?|rules|directives)`,
  String.raw`\b(?:new|updated|revised|real|actual|true|additional|secret) (?:system )?(?:instructions?|prompt|directives?)(?: (?:for you|from now on|follow))?\s*[:：]`,
  String.raw`\byour (?:new|real|true|actual|only) (?:instructions?|task|goal|objective|directive|prompt) (?:is|are)\b`,
  String.raw`\b(?:supersedes?|overrides?|replaces?|takes? precedence over) (?:all |any |of |your |the |previous |prior |earlier |system )*(?:your|system|previous|prior|earlier) (?:instructions?|prompts?|guidelines?|directives?)\b`,
];

export const overridePatterns: readonly InstructionPattern[] = [
  ...orders,
  ...instructionPatterns("overrides instructions", english),
];
