import type { Embedder } from "@bridle/protocol";
import { termsOf } from "../../src/search/terms.ts";

/**
 * Groups of words with nearly the same meaning. An embedding model would place the vectors of such words close to each other. Names and
 * numbers are not listed: embedding models do not distinguish E4017 from E4018.
 */
const concepts = [
  "return send back goods merchandise swap swapped giving",
  "refund refunds money reimburse reimbursed reimbursement amount receive",
  "voucher gift card present presents wrap",
  "ship shipment delivery courier parcel package consignment consignments takes arrives",
  "fast express overnight next morning",
  "follow track locate where number",
  "pay payment bill invoice settles cards bank transfers",
  "late overdue due deadline days",
  "fee penalty charged costs price discount less wholesale",
  "password credentials login remembered forgot blocked wrong",
  "account profile membership sign register customer",
  "delete erase erased remove request",
  "repair repaired fix mending broken faulty defects workshop",
  "free gratis charge",
  "device devices appliance kettle scanner printer",
  "warranty guarantee years",
  "open opening unscrewed housing screwdriver screws",
  "child toddlers infants swallowed choking small hazard pieces",
  "car vehicles parking leave stand building",
  "job career vacancy application staff students semester",
  "furniture wardrobe chair mattress assemble together fitters build installation service put",
  "lamp lamps light dimmer brighter brightness",
  "error appears means hint",
  "spare part gasket fits",
  "abroad norway customs duty islands ferry country",
  "company companies sales offer bulk",
  "branch store counter collect hours",
  "privacy data personal law cookies",
  "care wash oil wax leather wooden",
  "climate recycled cardboard boxes box",
].map((words) => words.split(" "));

/** The amount of noise in a vector, relative to its concepts. */
const noise = 0.25;

/** Creates an embedder for this test. A vector contains the share of each concept in the text, plus noise that depends only on the text. */
export function createConceptEmbedder(): Embedder {
  return {
    id: "test",
    model: "concepts",
    account: "test",
    async embed(texts) {
      return { vectors: texts.map(vectorOf), usage: { inputTokens: 0 } };
    },
    async close() {},
  };
}

function vectorOf(text: string): Float32Array {
  const terms = termsOf(text);
  const random = randomFor(text);
  return Float32Array.from(concepts, (words) => terms.filter((term) => words.includes(term)).length + noise * random());
}

/** Returns numbers from -1 to 1 from a linear congruential generator (Numerical Recipes) that is seeded with the text. */
function randomFor(text: string): () => number {
  let state = Array.from(text).reduce((sum, character) => (sum * 31 + (character.codePointAt(0) ?? 0)) >>> 0, 7);
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 31 - 1;
  };
}
