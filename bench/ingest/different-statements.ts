import type { RehearsedModel } from "@bridle/rehearsal";
import type { CorpusModel } from "../../packages/ingest/tests/support/models/corpus-model.ts";

/**
 * Returns a model that answers like `reader`, except that no two statements agree or contradict each other, and no two topics share a page.
 */
export function differentStatements(reader: CorpusModel): RehearsedModel {
  return (request) => {
    const questions = Array.from(request.user.matchAll(/^(q\d+)$/gm), ([, question]) => ({ question }));
    const answer = (value: object) => ({ object: { answers: questions.map((each) => ({ ...each, ...value })) } });
    if (request.system.includes("You compare statements")) return answer({ relation: "different" });
    if (request.system.includes("contradict each other")) return answer({ cannotBothBeTrue: false, difference: "" });
    if (request.system.includes("You sort topics")) return answer({ page: "none" });
    return reader.step(request);
  };
}
