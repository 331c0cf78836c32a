import { BackendCrashError, ConfigError } from "@bridle/protocol";
import { describe, expect, test } from "vitest";
import { checkLengths, vectorsOf } from "./vectors.ts";

function answer(embeddings: number[][], indexes?: number[]) {
  return {
    embeddings,
    warnings: [],
    ...(indexes && { response: { body: { data: indexes.map((index) => ({ index })) } } }),
  };
}

describe("the vectors of an answer", () => {
  test("are numbers of 32 bits, in the order of the answer where it numbers none", () => {
    expect(vectorsOf(answer([[0.5], [0.25]]), "m", 2)).toEqual([Float32Array.of(0.5), Float32Array.of(0.25)]);
  });

  test("are put in the order of the texts where the answer numbers them", () => {
    const [first, second, third] = vectorsOf(answer([[3], [1], [2]], [2, 0, 1]), "m", 3);
    expect([first?.[0], second?.[0], third?.[0]]).toEqual([1, 2, 3]);
  });

  test("are taken as they come where all have the same number", () => {
    expect(vectorsOf(answer([[1], [2]], [0, 0]), "m", 2)).toEqual([Float32Array.of(1), Float32Array.of(2)]);
  });

  test.each([[[0, 0, 1]], [[0, 1, 3]], [[1, 2, 3]]])("numbered %j are refused", (indexes) => {
    const found = () => vectorsOf(answer([[1], [2], [3]], indexes), "m", 3);
    expect(found).toThrow(BackendCrashError);
    expect(found).toThrow(`The model m answered with vectors numbered ${indexes.join(", ")}.`);
  });

  test.each([
    ["fewer than the texts", [[1]], "with 1 vectors for 2 texts"],
    ["more than the texts", [[1], [2], [3]], "with 3 vectors for 2 texts"],
    ["empty", [[1], []], "with an empty vector"],
    ["not numbers", [[1], [Number.NaN]], "more than finite 32-bit numbers"],
    ["too large for 32 bits", [[1], [1e300]], "more than finite 32-bit numbers"],
  ])("that are %s are refused", (_, embeddings, reason) => {
    const found = () => vectorsOf(answer(embeddings), "m", 2);
    expect(found).toThrow(BackendCrashError);
    expect(found).toThrow(reason);
  });
});

describe("the lengths of vectors", () => {
  const vectors = [new Float32Array(3), new Float32Array(3)];

  test("have to be the one that was asked for; another is a fault of the settings", () => {
    checkLengths(vectors, "m", { asked: 3, known: undefined });
    const check = () => checkLengths(vectors, "m", { asked: 4, known: undefined });
    expect(check).toThrow(ConfigError);
    expect(check).toThrow(
      "The model m answers with vectors of 3 dimensions, and 4 were asked for. Set embeddings.dimensions to 3",
    );
  });

  test("have to be equal where none was asked for; a difference is a fault of the server", () => {
    checkLengths(vectors, "m", { asked: undefined, known: undefined });
    const check = () => checkLengths([...vectors, new Float32Array(2)], "m", { asked: undefined, known: undefined });
    expect(check).toThrow(BackendCrashError);
    expect(check).toThrow("The model m answered with vectors of 2 dimensions beside vectors of 3.");
  });

  test("have to be the ones of earlier answers", () => {
    checkLengths(vectors, "m", { asked: undefined, known: 3 });
    expect(() => checkLengths(vectors, "m", { asked: undefined, known: 5 })).toThrow(BackendCrashError);
  });
});
