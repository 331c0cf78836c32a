import type { Gate } from "./gate.ts";

/** Words that express uncertainty. */
const hedges = new RegExp(
  [
    String.raw`\b(?:i|we) (?:think|guess|believe|suspect|heard|vaguely|am not sure|are not sure)\b`,
    String.raw`\b(?:i['’]?m|we['’]?re|am|are) (?:not|un)\s?(?:sure|certain)\b|\bnot (?:entirely |quite |completely |100 ?% )?sure\b|\bunsure\b|\bno idea\b`,
    String.raw`\b(?:somebody|someone|somebody else|a colleague|people|he|she|rumou?r) (?:said|says|say|told me|told us|mentioned|has it|reckons?)\b`,
    String.raw`\b(?:apparently|allegedly|supposedly|reportedly|presumably|maybe|perhaps|possibly|probably|afaik|iirc|imo|imho|could be that|if i remember|tbc|tbd|is (?:this|that|it) (?:right|true|correct)\?)`,
    String.raw`\b(?:ich (?:glaube|denke|vermute|meine)|wahrscheinlich|vermutlich|angeblich|vielleicht|nicht sicher|jemand (?:sagte|meinte|hat gesagt))\b`,
    String.raw`\b(?:je (?:crois|pense|suppose)|peut-être|probablement|apparemment|il paraît|pas s[uû]re?|quelqu['’]un a dit)`,
    String.raw`\b(?:creo que|pienso que|supongo|quizás|quizá|tal vez|probablemente|al parecer|no estoy segur[oa]|alguien dijo)`,
    String.raw`\b(?:acho que|penso que|talvez|provavelmente|não tenho certeza|não estou cert[oa]|alguém disse)`,
    String.raw`\b(?:credo che|penso che|forse|probabilmente|non sono sicur[oa]|qualcuno ha detto)`,
    String.raw`\b(?:ik denk|misschien|waarschijnlijk|niet zeker|iemand zei)\b|\b(?:kanskje|kanske|muligens|förmodligen|visstnok|ikke sikker|inte säker|noen sa|någon sa)\b`,
    "кажется|наверное|вроде бы|возможно,|я думаю|не уверен|кто-то сказал|говорят, что|と思う|と思います|かもしれ|たぶん|多分|らしい|だそうだ|と聞いた|我觉得|我認為|我认为|可能是|大概|听说|據說|据说|不确定|好像|것 같|아마|들었",
  ].join("|"),
  "iu",
);

/** Refuses hearsay and assumptions. Checks the whole sentence, including the parts that the quote omits. */
export const hearsayGate: Gate = {
  name: "hearsay",
  check({ candidate: { origin }, around }) {
    if (origin === "projection" || origin === "person") return undefined;
    const found = hedges.exec(around);
    if (found === null) return undefined;
    return `The sentence contains "${found[0].trim()}", so its author does not know it. Cite somebody who does, or leave it out.`;
  },
};
