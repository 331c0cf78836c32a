import { BackendCrashError, ConfigError } from "@bridle/protocol";
import { describe, expect, test } from "vitest";
import { checkLengths, readVectors } from "./vectors.ts";

function answer(embeddings: number[][], indexes?: number[]) {
  return {
    embeddings,
    warnings: [],
    ...(indexes && { response: { body: { data: indexes.map((index) => ({ index })) } } }),
  };
}

describe("the vectors of an answer", () => {
  test("are 32-bit numbers, in the order of the answer if it has no numbers for them", () => {
    expect(readVectors(answer([[0.5], [0.25]]), "m", 2)).toEqual([Float32Array.of(0.5), Float32Array.of(0.25)]);
  });

  test("are sorted by the numbers in the answer", () => {
    const [first, second, third] = readVectors(answer([[3], [1], [2]], [2, 0, 1]), "m", 3);
    expect([first?.[0], second?.[0], third?.[0]]).toEqual([1, 2, 3]);
  });

  test("keep the order of the answer if all numbers are equal", () => {
    expect(readVectors(answer([[1], [2]], [0, 0]), "m", 2)).toEqual([Float32Array.of(1), Float32Array.of(2)]);
  });

  test.each([[[0, 0, 1]], [[0, 1, 3]], [[1, 2, 3]]])("numbered %j are refused", (indexes) => {
    const found = () => readVectors(answer([[1], [2], [3]], indexes), "m", 3);
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
    const found = () => readVectors(answer(embeddings), "m", 2);
    expect(found).toThrow(BackendCrashError);
    expect(found).toThrow(reason);
  });
});

describe("the lengths of vectors", () => {
  const vectors = [new Float32Array(3), new Float32Array(3)];

  test("must equal the requested length, or the settings are wrong", () => {
    checkLengths(vectors, "m", { requested: 3, known: undefined });
    const check = () => checkLengths(vectors, "m", { requested: 4, known: undefined });
    expect(check).toThrow(ConfigError);
    expect(check).toThrow(
      "The model m answers with vectors of 3 dimensions, but 4 were requested. Set embeddings.dimensions to 3",
    );
  });

  test("must be equal without a requested length, or the server is wrong", () => {
    checkLengths(vectors, "m", { requested: undefined, known: undefined });
    const check = () =>
      checkLengths([...vectors, new Float32Array(2)], "m", { requested: undefined, known: undefined });
    expect(check).toThrow(BackendCrashError);
    expect(check).toThrow("The model m answered with vectors of 2 and of 3 dimensions.");
  });

  test("must equal the length of earlier vectors", () => {
    checkLengths(vectors, "m", { requested: undefined, known: 3 });
    expect(() => checkLengths(vectors, "m", { requested: undefined, known: 5 })).toThrow(BackendCrashError);
  });
});
